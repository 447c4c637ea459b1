import type { z } from 'zod'
import { isEmpty } from './empty.ts'

/** What a schema tells about one field, for its label, its mark and its limits. */
export interface FieldFacts {
  label: string
  required: boolean
  /** Longest text, or largest number where `min` or `amount` is told. */
  max: number | undefined
  min: number | undefined
  amount: boolean
  /** Chosen from what there is, and not written. */
  isChoice: boolean
}

type Schema = z.core.$ZodType & Partial<z.ZodType>
type Def = {
  type: string
  shape?: Record<string, Schema>
  innerType?: Schema
  in?: Schema
  out?: Schema
  element?: Schema
  getter?: () => Schema
  options?: Schema[]
}

const defOf = (schema: Schema) => schema._zod.def as unknown as Def

/** The fields of an object schema, looking through refinements, defaults and transforms; none for anything else. */
export function fieldsOf(schema: Schema): Record<string, Schema> {
  const object = objectIn(schema)
  return object ? (defOf(object).shape ?? {}) : {}
}

/** The schema at a path such as `['sessions', 0, 'startTime']`; undefined where the schema has no such place. */
export function schemaAt(schema: Schema, path: readonly (string | number)[]): Schema | undefined {
  let here: Schema | undefined = schema
  for (const step of path) {
    if (!here) return undefined
    const inner: Schema = bare(here)
    const def = defOf(inner)
    here = def.type === 'array' ? def.element : fieldsOf(inner)[String(step)]
  }
  return here
}

/** Whether a record without this field is refused. */
export const isRequired = (schema: Schema): boolean => !schema.safeParse!(undefined).success

/** Label, mark and limits of a field, from what the contract says about it. */
export function factsOf(schema: Schema | undefined): FieldFacts {
  const meta = metaOf(schema)
  return {
    label: typeof meta['label'] === 'string' ? meta['label'] : '',
    required: schema ? isRequired(schema) : false,
    max: typeof meta['max'] === 'number' ? meta['max'] : undefined,
    min: typeof meta['min'] === 'number' ? meta['min'] : undefined,
    amount: meta['amount'] === true,
    isChoice: meta['pick'] === true,
  }
}

/** What the fields of a form begin with where the contract says so. */
export const defaultsOf = (schema: Schema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fieldsOf(schema)).flatMap(([name, field]) =>
      defOf(field).type === 'default' ? [[name, field.parse!(undefined)]] : [],
    ),
  )

/** The first fault of a form value, as the service would tell it; an empty value counts as not given. */
export function faultOf(schema: Schema, value: unknown): string | undefined {
  const given = isEmpty(value) && !Array.isArray(value) ? undefined : value
  const result = schema.safeParse!(given)
  const first = result.error?.issues[0]
  return first && rowOf(first.path) + first.message
}

/** A fault inside the rows of a list tells which row: `第 2 行：`. */
export const rowOf = (path: readonly PropertyKey[]): string =>
  path.length > 1 && /^\d+$/.test(String(path[0])) ? `第 ${Number(path[0]) + 1} 行：` : ''

/** Drops what a schema of a list does not take, so that an address typed or shared by others never breaks the list. */
export function validFields(schema: Schema, given: Record<string, string>): Record<string, string> {
  const fields = fieldsOf(schema)
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => fields[name] && !isEmpty(value) && fields[name].safeParse!(value).success,
    ),
  )
}

function objectIn(schema: Schema): Schema | undefined {
  const inner = bare(schema)
  return defOf(inner).type === 'object' ? inner : undefined
}

/** The schema without the wrappers that say "optional", "or this" or "then turn it into". */
function bare(schema: Schema): Schema {
  const def = defOf(schema)
  const next =
    def.innerType ?? (def.type === 'pipe' ? def.in : undefined) ?? (def.type === 'lazy' ? def.getter?.() : undefined)
  return next ? bare(next) : schema
}

/** What `.meta()` said, on the schema itself or on the one it wraps. */
function metaOf(schema: Schema | undefined): Record<string, unknown> {
  if (!schema) return {}
  const own = schema.meta?.()
  if (own?.['label'] !== undefined) return own
  const def = defOf(schema)
  return metaOf(def.innerType ?? (def.type === 'pipe' ? def.in : undefined))
}
