import { quoted } from '../../../contract/core/quotes.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { applyWay as applyWayCodes, lessonStatus, partakeMode } from '../../../contract/core/codes/programme.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonAction, LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import { signingApi } from '../../../contract/programme/lessons/signing.calls.ts'
import { registrationApi, type RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { download } from '../../core/service/api.ts'
import { exportFile, rowsOf } from '../../core/action/export.tsx'
import type { List } from '../../core/list/use-list.ts'
import { DictionaryField, SwitchField } from '../../core/form/fields.tsx'
import { lessonPaths, resultAudit } from './lesson-actions.tsx'
import { teamTools } from './team-actions.tsx'
import { PersonField } from '../../shared/people/person-field.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<LessonDetail>()
const can = (name: LessonAction) => (lesson: LessonDetail) => lesson.can.includes(name)
const maxAtOnce = 200

const add = action({
  label: '添加人员',
  call: registrationApi.add,
  fits: (lesson) => can('register')(lesson) && !isTeamCourse(lesson),
  question: ([lesson]) => `添加${quoted(lesson!.liName)}的参与人员`,
  given: { partakeMode: partakeMode.participant },
  ask: (
    <>
      <PersonField name="suIds" label="学生" suiType={personType.student} multiple max={maxAtOnce} required />
      <DictionaryField name="partakeMode" label="参与方式" type="partake_mode" />
    </>
  ),
  input: ([lesson], { suIds, partakeMode }) => ({
    liId: lesson!.liId,
    suIds: suIds as string[],
    partakeMode: partakeMode as '1',
  }),
  doneText: ({ affected }) => `已添加 ${figure(affected)} 人`,
})
const rateRemaining = action({
  label: '其余按出勤评定合格',
  call: registrationApi.rateRemaining,
  fits: can('award'),
  given: { onlySigned: yesNo.yes },
  question: () => '把尚未评定的人员评定为合格？',
  ask: <SwitchField name="onlySigned" label="仅已签到的人员" help="未签到的不会被评为合格，提交结果时记为缺席" />,
  input: ([lesson], { onlySigned }) => ({ liId: lesson!.liId, onlySigned: onlySigned as string }),
  doneText: ({ affected }) => `已评定 ${figure(affected)} 人合格`,
})

export type ParticipantDialog = 'import' | 'signIn' | 'signers' | 'draw' | 'rules'

/**
 * What may be done to a course's participants as a whole; some of it opens a dialog of the page.
 * @param mayDraw whether the person may draw lots; others may see how that stands
 */
export function participantTools(
  list: List<RegistrationRow>,
  mayDraw: boolean,
  onOpen: (what: ParticipantDialog) => void,
): RowAction<LessonDetail>[] {
  return [
    resultAudit,
    action.open({
      label: mayDraw ? '抽签' : '抽签情况',
      call: admissionApi.drawInfo,
      fits: ({ applyWay, liStatus }) =>
        applyWay === applyWayCodes.draw &&
        !isOneOf(
          liStatus,
          lessonStatus.draft,
          lessonStatus.publishInReview,
          lessonStatus.publishRefused,
          lessonStatus.publishPassed,
        ),
      onOpen: () => onOpen('draw'),
    }),
    add,
    ...teamTools,
    action.open({
      label: '导入名单',
      call: registrationApi.add,
      fits: can('register'),
      onOpen: () => onOpen('import'),
    }),
    rateRemaining,
    action.open({ label: '导入签到', call: registrationApi.sign, fits: can('sign'), onOpen: () => onOpen('signIn') }),
    action.link({
      label: '签到大屏',
      call: signingApi.board,
      fits: can('sign'),
      href: ({ liId }) => lessonPaths.signBoard(liId),
    }),
    action.open({
      label: '下载签到码',
      call: lessonApi.codePackage,
      fits: can('codes'),
      onOpen: ([lesson]) => void download(lessonApi.codePackage, { liId: lesson!.liId }).catch(() => undefined),
    }),
    action.open({
      label: '签到负责人',
      call: lessonApi.signPrincipalAdd,
      fits: can('signManagers'),
      onOpen: () => onOpen('signers'),
    }),
    action.open({
      label: '报名与签到设置',
      call: admissionApi.saveRules,
      fits: can('edit'),
      onOpen: () => onOpen('rules'),
    }),
    action.open({
      label: '导出名单',
      call: registrationApi.export,
      fits: can('export'),
      onOpen: ([lesson]) =>
        void exportFile(registrationApi.export, { ...list.query, liId: lesson!.liId }, { rows: rowsOf(list) }),
    }),
  ]
}
