import fc from 'fast-check'
import { z } from 'zod'
import type { Call } from '../../contract/core/call.ts'

type Json = {
  type?: string | string[]
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  allOf?: Json[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  required?: string[]
  default?: unknown
  additionalProperties?: unknown
  moment?: boolean
  day?: boolean
  amount?: boolean
  flag?: boolean
  pattern?: string
}

/**
 * What breaks parsers, queries and storage in practice (docs/security.md S14); each must be refused politely or taken
 * as text.
 */
export const nasty: readonly unknown[] = [
  '',
  ' ',
  'null',
  'undefined',
  "'; select pg_sleep(5); --",
  "' or 1=1 --",
  '\\',
  '%',
  '_',
  '%%%\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e反转',
  '\ufeff',
  '👨‍👩‍👧‍👦',
  'İß',
  '０１２',
  '<img src=x onerror=alert(1)>',
  '=1+1',
  '../../etc/passwd',
  '%2e%2e%2f',
  'infinity',
  'now',
  'epoch',
  '2024-02-30',
  '0000-01-01',
  '294277-01-01',
  '2024-01-01T00:00:00+14:00',
  '1e400',
  'NaN',
  '0x10',
  '99999999999999999999',
  '-1',
  -1,
  0,
  -0,
  2 ** 31,
  2 ** 53 + 1,
  1e308,
  0.1,
  true,
  false,
  null,
  [],
  {},
  [[[]]],
  { a: 1 },
  ['x'],
  'x'.repeat(5000),
  '汉'.repeat(3000),
  'all',
  '*',
  ',,,',
  '00000000-0000-0000-0000-000000000000',
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
]

/**
 * Inputs near to what a call takes: fields of the right kind, some replaced by nasty values, some missing, some too
 * many. `known` are real ids by field name.
 */
export function inputsFor(call: Call, known: Record<string, string>): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Json
  const fields = Object.entries(schema.properties ?? {})
  const plausible = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, plausibleValue(name, field, known)])),
    { requiredKeys: (schema.required ?? []) as never[] },
  ) as fc.Arbitrary<Record<string, unknown>>
  if (fields.length === 0) return fc.constantFrom({}, { extra: 'x' }, { _t: -1 })
  const change = fc.record({
    name: fc.constantFrom(...fields.map(([name]) => name), 'extra', 'schoolId'),
    value: fc.constantFrom(...nasty),
  })
  const mutated = fc
    .tuple(plausible, fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([input, changes]) => ({ ...input, ...Object.fromEntries(changes.map(({ name, value }) => [name, value])) }))
  return fc.oneof({ weight: 3, arbitrary: plausible }, { weight: 7, arbitrary: mutated })
}

function plausibleValue(name: string, field: Json, known: Record<string, string>): fc.Arbitrary<unknown> {
  const choices = field.anyOf ?? field.allOf
  if (field.enum) return fc.constantFrom(...field.enum)
  if (field.const !== undefined) return fc.constant(field.const)
  if (field.format === 'uuid') return fc.constantFrom(...idsLike(name, known))
  if (field.moment) return fc.constantFrom('2026-11-20 08:00:00', '2026-11-21 18:30:00', '2026-12-01 00:00:00')
  if (field.day) return fc.constantFrom('2005-03-04', '2026-11-20')
  if (field.amount) return fc.constantFrom('1', '2.5', '0', 3)
  if (field.flag) return fc.constantFrom('1', '0')
  if (choices) return fc.oneof(...choices.map((choice) => plausibleValue(name, choice, known)))
  switch (Array.isArray(field.type) ? field.type[0] : field.type) {
    case 'array':
      return fc.array(plausibleValue(name.replace(/s$/, ''), field.items ?? {}, known), { maxLength: 3 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(field.properties ?? {}).map(([key, value]) => [key, plausibleValue(key, value, known)]),
        ),
      )
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(field.minimum ?? 0, 0),
        max: Math.min(field.maximum ?? 50, Math.max(field.minimum ?? 0, 50)),
      })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constantFrom('测试', '学生', '2024', 'a-1', '5', ...idsLike(name, known).slice(0, 1))
  }
}

/** Ids that a field of this name may mean: the known one of that name first, then any other. */
const idsLike = (name: string, known: Record<string, string>): string[] =>
  [...(known[name] ? [known[name]] : []), ...Object.values(known)].slice(0, 4)
