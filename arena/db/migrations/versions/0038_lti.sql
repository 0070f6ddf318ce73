CREATE TABLE lti_platforms (
    id SERIAL NOT NULL,
    name VARCHAR NOT NULL,
    issuer VARCHAR NOT NULL,
    client_id VARCHAR NOT NULL,
    auth_url VARCHAR NOT NULL,
    token_url VARCHAR NOT NULL,
    jwks_url VARCHAR NOT NULL,
    deployments JSON NOT NULL,
    private_key JSON NOT NULL,
    created DOUBLE NOT NULL,
    CONSTRAINT pk_lti_platforms PRIMARY KEY (id),
    CONSTRAINT uq_lti_platforms_issuer_client_id UNIQUE (issuer, client_id)
);
CREATE TABLE lti_courses (
    id SERIAL NOT NULL,
    platform_id INTEGER NOT NULL,
    deployment VARCHAR NOT NULL,
    context VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    group_id INTEGER NOT NULL,
    roster_url VARCHAR,
    created DOUBLE NOT NULL,
    CONSTRAINT pk_lti_courses PRIMARY KEY (id),
    CONSTRAINT uq_lti_courses_platform_id_deployment_context UNIQUE (platform_id, deployment, context),
    CONSTRAINT fk_lti_courses_platform_id FOREIGN KEY(platform_id) REFERENCES lti_platforms (id) ON DELETE CASCADE,
    CONSTRAINT fk_lti_courses_group_id FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE INDEX ix_lti_courses_group_id ON lti_courses (group_id);
CREATE TABLE lti_launches (
    nonce VARCHAR NOT NULL,
    platform_id INTEGER NOT NULL,
    message JSON NOT NULL,
    frame VARCHAR,
    answer VARCHAR,
    entered BOOLEAN NOT NULL,
    at DOUBLE NOT NULL,
    CONSTRAINT pk_lti_launches PRIMARY KEY (nonce),
    CONSTRAINT uq_lti_launches_frame UNIQUE (frame),
    CONSTRAINT fk_lti_launches_platform_id FOREIGN KEY(platform_id) REFERENCES lti_platforms (id) ON DELETE CASCADE
);
CREATE INDEX ix_lti_launches_at ON lti_launches (at);
CREATE TABLE lti_links (
    id SERIAL NOT NULL,
    course_id INTEGER NOT NULL,
    resource VARCHAR NOT NULL,
    assignment_id INTEGER NOT NULL,
    lineitem VARCHAR NOT NULL,
    looked DOUBLE NOT NULL,
    CONSTRAINT pk_lti_links PRIMARY KEY (id),
    CONSTRAINT uq_lti_links_course_id_resource UNIQUE (course_id, resource),
    CONSTRAINT fk_lti_links_course_id FOREIGN KEY(course_id) REFERENCES lti_courses (id) ON DELETE CASCADE,
    CONSTRAINT fk_lti_links_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE
);
CREATE INDEX ix_lti_links_assignment_id ON lti_links (assignment_id);
CREATE TABLE lti_scores (
    id SERIAL NOT NULL,
    link_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    given DOUBLE NOT NULL,
    maximum DOUBLE NOT NULL,
    state VARCHAR NOT NULL,
    due DOUBLE NOT NULL,
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    sent DOUBLE,
    answer VARCHAR NOT NULL,
    CONSTRAINT pk_lti_scores PRIMARY KEY (id),
    CONSTRAINT uq_lti_scores_link_id_user_id UNIQUE (link_id, user_id),
    CONSTRAINT ck_lti_scores_state CHECK (state IN ('waiting', 'delivered', 'failed')),
    CONSTRAINT ck_lti_scores_maximum CHECK (maximum > 0),
    CONSTRAINT fk_lti_scores_link_id FOREIGN KEY(link_id) REFERENCES lti_links (id) ON DELETE CASCADE,
    CONSTRAINT fk_lti_scores_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
CREATE INDEX ix_lti_scores_user_id ON lti_scores (user_id);
CREATE INDEX ix_lti_scores_due ON lti_scores (due) WHERE state = 'waiting';
