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
    at DOUBLE NOT NULL,
    CONSTRAINT pk_lti_launches PRIMARY KEY (nonce),
    CONSTRAINT fk_lti_launches_platform_id FOREIGN KEY(platform_id) REFERENCES lti_platforms (id) ON DELETE CASCADE
);
CREATE INDEX ix_lti_launches_at ON lti_launches (at);
