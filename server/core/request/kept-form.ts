import { z } from 'zod'
import type { Context } from './context.ts'
import { withoutEmpties } from './input.ts'

type Fields = Record<string, unknown>

/** A record that a form edits, as it is stored now. */
interface KeptForm {
  /** As the call that reads it answers. */
  answer: Fields
  /** Its fields as the form sends them, where it sends other ones than were answered. */
  form?: Fields
  /** What the whole form is checked by and handed on as, where it is that of another call. */
  schema?: z.ZodType
}

/**
 * Reads the record that a form is about to edit; undefined where it makes a new one. Asked for plain callers only, who
 * mean what is stored by fields that they leave out (decision 034).
 * @param given the fields that came, without those that came empty
 * @param named the names of all that came
 */
export type ReadKept = (ctx: Context, given: Fields, named: ReadonlySet<string>) => Promise<KeptForm | undefined>

const isId = (value: unknown): value is string => z.uuid().safeParse(value).success

/**
 * Reads the record whose id a form carries under a name. Without one it is a new record; what is no id is refused by
 * the form's own check.
 * @param formOf its fields as the form sends them, where these differ from what is read
 * @param row what lists answer of it, where its form is filled from a row of one
 * @param facts what the specification gives the record and its form does not take, of a new one as well
 */
export const keptBy =
  <A extends object>(
    idField: string,
    read: (ctx: Context, id: string) => Promise<A | undefined>,
    {
      formOf,
      row,
      facts,
    }: { formOf?: (answer: A, given: Fields) => Fields; row?: z.ZodObject; facts?: readonly string[] } = {},
  ): ReadKept =>
  async (ctx, given) => {
    const id = given[idField]
    const record = isId(id) ? await read(ctx, id) : undefined
    if (!record) return facts && { answer: unsaid(facts) }
    const answer = { ...(row && unsaid(Object.keys(row.shape))), ...(facts && unsaid(facts)), ...record }
    return formOf ? { answer, form: formOf(record, given) } : { answer }
  }

/** Fields of which nothing is said. */
export const unsaid = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, undefined]))

/** A new record: of fields that the specification gives it and that its form does not take, nothing is taken. */
export const notTaken =
  (...names: string[]): ReadKept =>
  async () => ({ answer: unsaid(names) })

/**
 * The whole form that a plain caller means: a field that they leave out is as it is stored, the version among them, one
 * that they send back as it was answered too; one that they send empty is empty.
 * @param named the fields that came, those that came empty among them
 */
export function wholeForm(given: Fields, named: ReadonlySet<string>, { answer, form = answer }: KeptForm): Fields {
  const stored = withoutEmpties(form) as Fields
  const told = withoutEmpties(answer) as Fields
  for (const name of named) if (!(name in given)) delete stored[name]
  const isAsAnswered = (name: string, value: unknown) =>
    name !== 'version' && name in told && JSON.stringify(value) === JSON.stringify(told[name])
  const changed = Object.entries(given).filter(([name, value]) => !isAsAnswered(name, value))
  return { ...stored, ...Object.fromEntries(changed) }
}

/** Every name of a field in what a call answered, at any depth. */
export function fieldNames(answer: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(answer)) for (const item of answer) fieldNames(item, found)
  else if (answer !== null && typeof answer === 'object')
    for (const [name, value] of Object.entries(answer)) {
      found.add(name)
      fieldNames(value, found)
    }
  return found
}
