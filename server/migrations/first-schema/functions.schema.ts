/** Functions that tables and indexes of several parts use. */
export const functions = `
-- The distinct characters of a name or number, for substring search by a GIN index: Chinese names are too short for
-- trigrams (decision 004).
create function chars(t text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(lower(t), null)
$$;

-- The characters of a title and its pairs of neighbouring characters, likewise: in long texts the characters of a word
-- stand apart more often than together. Its cost has other conditions of a statement looked at first.
create function grams(t text) returns text[] language plpgsql immutable parallel safe cost 100 as $$
declare
  low text := lower(t);
  mark constant text := chr(1);
begin
  return string_to_array(low, null)
    || string_to_array(regexp_replace(low, '(..)', '\\1' || mark, 'g'), mark)
    || string_to_array(regexp_replace(substr(low, 2), '(..)', '\\1' || mark, 'g'), mark);
end $$;

-- What grams() of every title holds that contains this text: its pairs, or its only character.
create function grams_within(t text) returns text[] language plpgsql immutable parallel safe as $$
declare
  low text := lower(t);
begin
  if length(low) < 2 then return string_to_array(low, null); end if;
  return array(select substr(low, at, 2) from generate_series(1, length(low) - 1) at);
end $$;

-- Rows of an append-only table stay as they were written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'append-only table %: rows are never changed or removed', tg_table_name using errcode = '0A000';
end $$;
`
