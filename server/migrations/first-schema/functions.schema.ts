/** Functions that tables and indexes of several parts use. */
export const functions = `
-- The distinct characters of a text, for substring search by a GIN index: Chinese words are too short for trigrams
-- (decision 004).
create function chars(t text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(lower(t), null)
$$;

-- Rows of an append-only table stay as they were written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
end $$;
`
