import { resultStatus, applyStatus, signStatus } from '../../../contract/core/codes/programme.ts'
import { teamRole } from '../../../contract/core/codes/teams.ts'
import { answersText, type ApplyAnswer } from '../../../contract/programme/lessons/apply-questions.ts'
import type { RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import type { Column } from '../../core/list/columns.tsx'
import { workColumn } from './work-column.tsx'
import { DictionaryChip, type ChipTone } from '../../core/parts/status-chip.tsx'

/** Tones of a registration, of attendance and of a result. */
export const applyTones: Record<string, ChipTone> = {
  [applyStatus.pending]: 'waiting',
  [applyStatus.accepted]: 'finished',
  [applyStatus.refused]: 'refused',
  [applyStatus.waitlisted]: 'waiting',
  [applyStatus.removed]: 'refused',
}
export const signTones: Record<string, ChipTone> = {
  [signStatus.signedIn]: 'finished',
  [signStatus.late]: 'waiting',
  [signStatus.signedOut]: 'finished',
  [signStatus.leftEarly]: 'waiting',
  [signStatus.absent]: 'refused',
  [signStatus.madeUp]: 'published',
}
export const resultTones: Record<string, ChipTone> = {
  [resultStatus.passed]: 'finished',
  [resultStatus.failed]: 'refused',
  [resultStatus.awarded]: 'publicity',
}

/** Columns that the lists of a course's participants and of a student's courses have in common. */
export const signColumn = {
  title: '签到',
  dataIndex: 'laSignStatus',
  width: 88,
  dict: 'sign_status',
  tones: signTones,
} satisfies Column<RegistrationRow>
export const resultColumn = {
  title: '结果',
  dataIndex: 'laResult',
  width: 96,
  render: (value: string, { awardName }: { awardName: string | null }) =>
    value === resultStatus.awarded && awardName ? (
      <span className="award-name">{awardName}</span>
    ) : (
      <DictionaryChip type="result_status" value={value} tones={resultTones} />
    ),
} satisfies Column<RegistrationRow>
export const applyTimeColumn = {
  title: '报名时间',
  dataIndex: 'applyTime',
  width: 152,
  hiddenAtFirst: true,
  render: (value: string) => value.slice(0, 16),
} satisfies Column<RegistrationRow>

/** A participant's registration, attendance and result, as every list of participants shows them. */
const participantColumns: Column<RegistrationRow>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 96, fixed: 'left', sorter: true },
  { title: '学号', dataIndex: 'suiNumber', width: 116, sorter: true },
  {
    title: '报名',
    dataIndex: 'laStatus',
    width: 128,
    sorter: true,
    render: (value: string, { waitNo }) => (
      <>
        <DictionaryChip type="apply_status" value={value} tones={applyTones} />
        {waitNo !== null && <small className="wait-no"> 第 {waitNo} 位</small>}
      </>
    ),
  },
  {
    title: '抽签顺序',
    dataIndex: 'drawNo',
    width: 92,
    number: true,
    hiddenAtFirst: true,
    render: (value: number | null) => value ?? <span className="nothing">—</span>,
  },
  { ...signColumn, sorter: true },
  { ...resultColumn, sorter: true },
  { title: '学时', dataIndex: 'laHours', width: 76, number: true, sorter: true },
  { title: '班级', dataIndex: 'className', width: 128 },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '学分', dataIndex: 'laCredit', width: 72, number: true, hiddenAtFirst: true },
  { title: '参与方式', dataIndex: 'partakeMode', width: 104, dict: 'partake_mode', hiddenAtFirst: true },
  { title: '年级', dataIndex: 'suiGrade', width: 76, hiddenAtFirst: true },
  { ...applyTimeColumn, sorter: true },
  {
    title: '签到时间',
    dataIndex: 'signInTime',
    width: 152,
    hiddenAtFirst: true,
    render: (value: string | null) => value?.slice(0, 16) ?? <span className="nothing">—</span>,
  },
  {
    title: '签退时间',
    dataIndex: 'signOutTime',
    width: 152,
    hiddenAtFirst: true,
    render: (value: string | null) => value?.slice(0, 16) ?? <span className="nothing">—</span>,
  },
  { title: '扫码场次', dataIndex: 'attended', width: 92, number: true, hiddenAtFirst: true },
  { title: '拒绝、移除或请假原因', dataIndex: 'refuseReason', width: 200, hiddenAtFirst: true },
  {
    title: '报名回答',
    dataIndex: 'applyAnswers',
    width: 240,
    hiddenAtFirst: true,
    render: (answers: ApplyAnswer[]) =>
      answers.length > 0 ? answersText(answers).replaceAll('\n', '；') : <span className="nothing">—</span>,
  },
  { title: '备注', dataIndex: 'remark', width: 160, hiddenAtFirst: true },
]

const [name, ...others] = participantColumns as [Column<RegistrationRow>, ...Column<RegistrationRow>[]]
/** With the team, of courses for which teams register. */
const teamColumn: Column<RegistrationRow> = {
  title: '队伍',
  dataIndex: 'teamName',
  width: 140,
  sorter: true,
  render: (value: string, { teamRole: role }) =>
    value ? (
      <>
        {value}
        {role === teamRole.captain && <small className="nothing"> 队长</small>}
      </>
    ) : (
      <span className="nothing">—</span>
    ),
}

/** The columns for the participants of a course: with teams and with works where it has them. */
export function participantColumnsOf({
  applyUnit,
  workRequest,
}: {
  applyUnit: string
  workRequest: string
}): Column<RegistrationRow>[] {
  const columns = isTeamCourse({ applyUnit }) ? [name, teamColumn, ...others] : [name, ...others]
  return workRequest === ''
    ? columns
    : columns.flatMap((column) => (column.dataIndex === resultColumn.dataIndex ? [workColumn, column] : [column]))
}
