import { sql, type Kysely } from 'kysely'

/**
 * The introductions of courses become rich texts (decision 019): what was written as a plain text is a paragraph for
 * each of its lines from now on, and its signs stay words. Changes that wait for their approval bring such a text too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const paragraphs = (text: string) => `
    '<p>' || regexp_replace(
      replace(replace(replace(${text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
      E'\\\\r\\\\n|[\\\\n\\\\r\\\\u0085\\\\u2028\\\\u2029]', '</p><p>', 'g'
    ) || '</p>'`
  await sql.raw(`update "lesson" set "liIntro" = ${paragraphs('"liIntro"')} where "liIntro" <> ''`).execute(db)
  await sql
    .raw(
      `update "lessonChange"
       set "columns" = jsonb_set("columns", '{liIntro}', to_jsonb(${paragraphs(`"columns" ->> 'liIntro'`)}))
       where "lcStatus" = '0' and "columns" ->> 'liIntro' <> ''`,
    )
    .execute(db)
}
