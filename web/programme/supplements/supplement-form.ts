import type { Input } from '../../../contract/core/call.ts'
import { partakeMode } from '../../../contract/core/codes/programme.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { fieldsOf } from '../../core/service/schema.ts'
import type { Values } from '../../core/form/use-record-form.ts'

/** What a new record begins with. */
export const blankSupplement: Values = { lisPartakeMode: partakeMode.participant, proofImages: [], proofPapers: [] }

/** A record as read, turned into the values of its form; pictures and papers are chosen apart. */
export function supplementValues(supplement: SupplementDetail): Values {
  const proofs = (isImage: boolean) =>
    supplement.proofs.filter(({ kind }) => (kind === 'image') === isImage).map(({ id }) => id)
  return { ...supplement, proofImages: proofs(true), proofPapers: proofs(false) }
}

const known = Object.keys(fieldsOf(supplementApi.save.input))
const listOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])

/** The proofs of a form: pictures, then papers. */
export const proofsOf = (values: Values): string[] => [
  ...listOf(values['proofImages']),
  ...listOf(values['proofPapers']),
]

/** What the form sends: the fields the call takes; `submit` says whether it goes into approval at once. */
export function supplementInput(values: Values): Input<typeof supplementApi.save> {
  return {
    ...Object.fromEntries(known.filter((name) => name in values).map((name) => [name, values[name]])),
    lisProofs: proofsOf(values),
  } as Input<typeof supplementApi.save>
}
