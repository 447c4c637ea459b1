import { expect, test } from 'vitest'
import { valuesOf, z as stand } from './no-schemas.ts'

const z = stand as typeof import('zod').z

test('schemas of the contract can be built of the value that stands for them, and nothing be checked by them', () => {
  const row = z.object({ liId: z.string().trim().min(1), kind: z.enum(valuesOf() as [string]) })
  const input = z.strictObject({ ...row.shape, pages: z.array(row.extend({})).default([]) }).check(() => undefined)
  expect(() => input.parse({})).toThrow('no schemas to check by')
  expect(() => row.safeParse({})).toThrow('no schemas to check by')
})
