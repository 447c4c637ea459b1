import { resultStatus, signStatus } from '../../../contract/core/codes/programme.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { registrationApi, type RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { AwardFields, SignFields } from './participant-fields.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<RegistrationRow>()
const can = (name: string) => (row: RegistrationRow) => row.can.includes(name)
const laIds = (rows: readonly RegistrationRow[]) => rows.map((row) => row.laId)
const unit = '名学生'
const who = (rows: readonly RegistrationRow[]) => (rows.length === 1 ? rows[0]!.suiName : `所选 ${rows.length} ${unit}`)

const pass = action({
  label: '通过',
  call: registrationApi.pass,
  fits: can('pass'),
  input: ([row]) => ({ laId: row!.laId }),
  confirm: false,
})
const passAll = action({
  label: '通过',
  call: registrationApi.batchPass,
  unit,
  fits: can('pass'),
  input: (rows) => ({ laIds: laIds(rows) }),
  doneText: ({ affected }) => `已通过 ${figure(affected)} 人`,
})
const refuse = action({
  label: '拒绝',
  call: registrationApi.refuse,
  fits: can('refuse'),
  isDanger: true,
  ask: <AreaField name="reason" rows={3} />,
  input: ([row], { reason }) => ({ laId: row!.laId, reason: reason as string }),
  question: (rows) => `确认拒绝${who(rows)}的报名？`,
})
const refuseAll = action({
  label: '拒绝',
  call: registrationApi.batchRefuse,
  unit,
  fits: can('refuse'),
  isDanger: true,
  ask: <AreaField name="reason" rows={3} />,
  input: (rows, { reason }) => ({ laIds: laIds(rows), reason: reason as string }),
  question: (rows) => `确认拒绝${who(rows)}的报名？`,
  doneText: ({ affected }) => `已拒绝 ${figure(affected)} 人`,
})
const remove = action({
  label: '移除',
  call: registrationApi.remove,
  unit,
  fits: can('del'),
  isDanger: true,
  ask: <AreaField name="reason" rows={3} required />,
  input: (rows, { reason }) => ({ laId: laIds(rows), reason: reason as string }),
  question: (rows) => `确认移除${who(rows)}？`,
  confirm: '移除后名额空出，其签到与评定一并作废；已签到的在课程完成时扣诚信分，签到有误的请先改为未签到。',
})

const cancel = action({
  label: '取消报名',
  call: admissionApi.cancel,
  fits: can('cancel'),
  isDanger: true,
  input: ([row]) => ({ laId: row!.laId }),
  question: (rows) => `确认代${who(rows)}取消报名？`,
  confirm: '取消后名额空出并通知学生；学生可在报名范围内重新加入。',
})
const leave = action({
  label: '请假',
  call: admissionApi.leave,
  fits: can('leave'),
  ask: <AreaField name="reason" rows={3} />,
  input: ([row], { reason }) => ({ laId: row!.laId, reason: reason as string }),
  question: (rows) => `登记${who(rows)}请假`,
  confirm: '登记后名额空出，本次不记为缺席。',
  doneText: () => '已登记请假',
})

/**
 * The actions on single participants and on several. `onTrace` opens the panel that tells where somebody's credit went.
 */
export function participantActions(
  lesson: LessonDetail,
  onTrace: (row: RegistrationRow) => void,
): { row: RowAction<RegistrationRow>[]; batch: RowAction<RegistrationRow>[] } {
  const sign = action({
    label: '签到',
    call: registrationApi.sign,
    unit,
    fits: can('sign'),
    ask: <SignFields />,
    given: { laSignStatus: signStatus.signedIn },
    question: (rows) => `登记${who(rows)}的签到`,
    input: (rows, { laSignStatus, reason }) => ({
      laIds: laIds(rows),
      laSignStatus: laSignStatus as '1',
      ...(reason ? { reason: reason as string } : {}),
    }),
    doneText: () => '已登记',
  })
  const award = action({
    label: '评定',
    call: registrationApi.setAward,
    unit,
    fits: can('award'),
    ask: <AwardFields lesson={lesson} />,
    given: { laResult: resultStatus.passed },
    question: (rows) => `评定${who(rows)}的结果`,
    input: (rows, { laResult, adId, partakeMode }) => ({
      laIds: laIds(rows),
      laResult: laResult as '1',
      ...(laResult === resultStatus.awarded && adId ? { adId: adId as string } : {}),
      ...(partakeMode ? { partakeMode: partakeMode as '1' } : {}),
    }),
    doneText: () => '评定已保存',
  })
  const trace = action.open({
    label: '学时去哪了',
    call: registrationApi.explain,
    onOpen: ([row]) => row && onTrace(row),
  })
  return {
    row: [pass, refuse, award, sign, trace, leave, cancel, remove],
    batch: [passAll, refuseAll, sign, award, remove],
  }
}
