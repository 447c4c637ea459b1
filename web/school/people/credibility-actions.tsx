import { quoted } from '../../../contract/core/quotes.ts'
import { credibilityReason } from '../../../contract/core/codes/programme.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { CredibilityFields, credibilityInput } from './credibility-fields.tsx'
import { figure } from '../../core/service/figure.ts'

interface Student {
  suId: string
  suiName: string
  /** `credibility` of a row, `adjust` and `lift` of a standing. */
  can: readonly string[]
}

const action = actionOn<Student>()
const who = (rows: readonly Student[]) => ({ suIds: rows.map(({ suId }) => suId) })

/** Changes the credibility of one student or of several, with a reason. */
export const adjustCredibility = action({
  label: '调整诚信分',
  call: credibilityApi.update,
  unit: '名学生',
  fits: ({ can }) => can.includes('credibility') || can.includes('adjust'),
  question: (rows) =>
    rows.length === 1 ? `调整${quoted(rows[0]!.suiName)}的诚信分。` : `调整所选 ${rows.length} 名学生的诚信分。`,
  confirm: '变动会记入记录并通知学生。',
  ask: <CredibilityFields />,
  given: { way: 'minus', reasonCode: credibilityReason.manual },
  input: (rows, given) => ({ ...who(rows), ...credibilityInput(given) }),
  doneText: ({ affected }) => (affected === 1 ? '诚信分已调整' : `已调整 ${figure(affected)} 名学生的诚信分`),
})

/** Opens registration to a student before their time. */
export const liftBlacklist = action({
  label: '解除报名限制',
  call: credibilityApi.lift,
  unit: '名学生',
  fits: ({ can }) => can.includes('lift'),
  question: ([row]) => `确认解除${quoted(row!.suiName)}的报名限制？`,
  confirm: '解除后可立即报名，缺席次数不变。',
  ask: <AreaField name="reason" label="解除原因" rows={3} placeholder="不少于 5 个字，学生会看到" />,
  input: (rows, { reason }) => ({ ...who(rows), reason: reason as string }),
  doneText: () => '已解除报名限制',
})
