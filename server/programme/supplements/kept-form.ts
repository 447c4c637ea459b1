import type { Context } from '../../core/request/context.ts'
import { keptBy, unsaid, type ReadKept } from '../../core/request/kept-form.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { supplementForEdit } from './supplement-detail.queries.ts'

const keptRecord = keptBy('lisId', (ctx, lisId) => supplementForEdit(ctx, { lisId }), {
  formOf: ({ proofs, ...record }) => ({ ...record, lisProofs: proofs.map(({ id }) => id) }),
})

/** What the specification gives a record beyond its form: its state, which acts change, and whose it is in words. */
const facts = ['suiNumber', 'suiName', 'delFlag', 'lisPublictySdate', 'lisPublictyEdate', 'lisPublictyStatus']

/** The record that is edited; of a new one the student, whom the specification names by their number. */
export const keptSupplement: ReadKept = async (ctx, given) => {
  const record = await keptRecord(ctx, given)
  if (record) return { ...record, answer: { ...unsaid(facts), ...record.answer } }
  return { answer: unsaid(facts), form: { suId: given['suId'] ?? (await studentOf(ctx, given['suiNumber'])) } }
}

/** The student of a number, among those whom the call covers. */
async function studentOf(ctx: Context, suiNumber: unknown): Promise<string | undefined> {
  if (typeof suiNumber !== 'string') return undefined
  const row = await visibleStudents(ctx)
    .select('person.suId')
    .where('person.suiNumber', '=', suiNumber.trim())
    .executeTakeFirst()
  return row?.suId
}
