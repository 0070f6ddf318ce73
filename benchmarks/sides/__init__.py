"""The engines that are measured, a module each. Each runs in an environment of its own and answers in `serve`."""
