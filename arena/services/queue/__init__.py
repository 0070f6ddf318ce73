"""Queue: leases on tables and uploads, doorbells to the workers, results, and cancellations."""
