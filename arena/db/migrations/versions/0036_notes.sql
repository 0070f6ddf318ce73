ALTER TABLE live_tables ADD COLUMN deals INTEGER;
CREATE TABLE live_notes (
    table_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    model VARCHAR NOT NULL,
    answers INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    gave_up BOOLEAN NOT NULL,
    seconds DOUBLE NOT NULL,
    tokens_in INTEGER,
    tokens_out INTEGER,
    cost DOUBLE,
    messages BLOB NOT NULL,
    CONSTRAINT pk_live_notes PRIMARY KEY (table_id, number),
    CONSTRAINT fk_live_notes_table_id FOREIGN KEY(table_id, number) REFERENCES live_moves (table_id, number) ON DELETE CASCADE
);
