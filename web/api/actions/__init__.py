"""Operations that write, a module per noun; `web.api` has those that read."""
