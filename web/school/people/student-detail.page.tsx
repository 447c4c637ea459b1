import { Link, useSearchParams } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { nationName } from '../../../contract/school/people/nations.ts'
import { studentApi, type StudentDetail } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { StudentCircles } from '../../shared/circles/student-circles.tsx'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { SwitchField } from '../../core/form/fields.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { withAccountActions } from './account-actions.tsx'
import { NoShowsTab } from './no-shows-tab.tsx'
import { CredibilityTab } from './credibility-tab.tsx'
import { studentPaths } from './people-paths.ts'
import { gradeText, Political, studentTones } from './person-parts.tsx'
import { PersonSide } from './person-side.tsx'
import { RolesTab } from './roles-tab.tsx'
import { Secret, SecretFacts } from './secrets.tsx'
import { useStudentActions } from './student-actions.tsx'
import { StudentChanges } from './student-changes.tsx'
import { StudentLedger, StudentLessons, StudentSupplements } from './student-tabs.tsx'
import { useLeaveOnRemoval } from '../../core/screen/use-leave-on-removal.ts'
import './people.css'

const action = actionOn<StudentDetail>()

/** A student: who they are, where they study, what they have earned, and their account. */
export function StudentDetailPage() {
  const [query] = useSearchParams()
  const { isGone, leave } = useLeaveOnRemoval(studentPaths.list)
  const {
    data: student,
    isPending,
    error,
    refetch,
  } = useCall(studentApi.detail, { id: query.get('suId') ?? '' }, { enabled: !isGone })
  const { acts, dialogs } = useStudentActions('detail', leave)
  const appoint = useAppointment()
  const may = usePermission()
  return (
    <>
      <DetailPage<StudentDetail>
        record={student}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="学生"
        list={studentPaths.list}
        idOf={({ suId }) => suId}
        name={({ suiName }) => suiName}
        status={({ suiStatus, isLeagueSecretary, blackUntil }) => (
          <>
            <DictionaryChip type="student_status" value={suiStatus} tones={studentTones} />
            {isLeagueSecretary && <StatusChip tone="publicity">团支书</StatusChip>}
            {blackUntil && <StatusChip tone="refused">{`黑名单至 ${blackUntil.slice(0, 10)}`}</StatusChip>}
          </>
        )}
        facts={({ suiNumber, suiCollegeName, majorName, scClassName }) =>
          [suiNumber, suiCollegeName, majorName, scClassName].filter(Boolean).join(' · ')
        }
        actions={withAccountActions('student', [
          ...acts.slice(0, -1),
          ...(appoint ? [appoint] : []),
          ...acts.slice(-1),
        ] as RowAction<StudentDetail>[])}
        before={(record) => <Figures student={record} />}
        tabs={(record) => [
          { key: 'info', title: '基本信息', content: <StudentFacts student={record} /> },
          { key: 'lessons', title: '课程', isWide: true, content: <StudentLessons suId={record.suId} /> },
          { key: 'sups', title: '补录', isWide: true, content: <StudentSupplements suId={record.suId} /> },
          { key: 'circles', title: '圈子', isWide: true, content: <StudentCircles suId={record.suId} /> },
          ...(may(transcriptApi.rows)
            ? [{ key: 'ledger', title: '学分台账', isWide: true, content: <StudentLedger suId={record.suId} /> }]
            : []),
          { key: 'credibility', title: '诚信分', isWide: true, content: <CredibilityTab suId={record.suId} /> },
          {
            key: 'breakLessons',
            title: '爽约记录',
            isWide: true,
            content: <NoShowsTab suId={record.suId} under="noShows" />,
          },
          {
            key: 'roles',
            title: '角色',
            isWide: true,
            content: <RolesTab suId={record.suId} roles={record.roles} />,
          },
          { key: 'changes', title: '学籍异动', isWide: true, content: <StudentChanges suId={record.suId} /> },
          { key: 'history', title: '动态', content: <RecordTimeline bizType="person" bizId={record.suId} /> },
        ]}
        side={(record) => <PersonSide kind="student" person={record} />}
      />
      {dialogs}
    </>
  )
}

/** Making a student their class's league secretary, once the school's role for it is known. */
function useAppointment(): RowAction<StudentDetail> | undefined {
  const isAllowed = usePermission()(memberApi.appointSecretary)
  const { data: roles = [] } = useCall(roleApi.options, {}, { enabled: isAllowed, staleTime: 300_000 })
  const role = roles.find(({ srCode }) => srCode === 'LEAGUE_SEC')
  return (
    role &&
    action({
      label: '设为团支书',
      call: memberApi.appointSecretary,
      fits: ({ isLeagueSecretary, scClassId, suiStatus }) =>
        !isLeagueSecretary && scClassId !== null && isInSchool(suiStatus),
      question: ([row]) => `确认将${quoted(row!.suiName)}设为 ${row!.scClassName} 的团支书？`,
      confirm: '该学生将获得该班级的团支书权限。',
      ask: <SwitchField name="replace" help="班级已有团支书时，须替换才能设置" />,
      given: { replace: '0' },
      input: ([row], { replace }) => ({ srId: role.srId, suId: row!.suId, replace: replace as string }),
      doneText: () => '已设为团支书',
    })
  )
}

function Figures({
  student: { suId, totalHours, totalCredit, volunteerHours, suiCredibility },
}: {
  student: StudentDetail
}) {
  const maySee = usePermission()(transcriptApi.header)
  const figures = [
    ['累计学时', totalHours],
    ['累计学分', totalCredit],
    ['志愿时长', volunteerHours],
    ['诚信分', String(suiCredibility)],
  ] as const
  return (
    <dl className="card person-figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {maySee && label !== '诚信分' ? (
              <Link to={studentPaths.transcript(suId)} aria-label={`${label} ${value}，查看成绩单`}>
                {value}
              </Link>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function StudentFacts({ student }: { student: StudentDetail }) {
  const years = student.suiStudyYears
  return (
    <SecretFacts person={student}>
      <Facts
        title="基本信息"
        items={[
          { label: '姓名', value: student.suiName },
          { label: '学号', value: student.suiNumber },
          { label: '性别', value: labelOf('sex', student.suiSex) },
          { label: '出生日期', value: <Secret field="birth" value={student.birth} /> },
          { label: '民族', value: nationName(student.suiNation) },
          { label: '政治面貌', value: <Political value={student.suiPolitical} /> },
          { label: '证件类型', value: labelOf('id_type', student.suiIdType) },
          { label: '证件号码', value: <Secret field="suiIdCard" value={student.suiIdCard} /> },
        ]}
      />
      <Facts
        title="学籍信息"
        items={[
          { label: '学院', value: student.suiCollegeName },
          { label: '专业', value: student.majorName },
          { label: '年级', value: gradeText(student.suiGrade) },
          { label: '班级', value: student.scClassName },
          { label: '辅导员', value: student.counselorName },
          { label: '校区', value: student.suiCampus },
          { label: '层次', value: labelOf('edu_level', student.suiEduLevel) },
          { label: '学制', value: years && `${years} 年` },
          { label: '入学日期', value: student.suiEnterDate },
          { label: '预计毕业日期', value: student.suiGraduateDate },
          { label: '宿舍', value: student.suiDorm },
        ]}
      />
      <Facts
        title="联系方式"
        items={[
          { label: '手机号', value: <Secret field="suiPhone" value={student.suiPhone} /> },
          { label: '邮箱', value: <Secret field="suiEmail" value={student.suiEmail} /> },
          { label: '籍贯', value: student.homePlaceName },
          { label: '家庭住址', value: <Secret field="suiAddress" value={student.suiAddress} /> },
        ]}
      />
      <Facts
        title="团员与志愿者"
        items={[
          { label: '入团日期', value: <Secret field="leagueJoinDate" value={student.leagueJoinDate} /> },
          { label: '入党日期', value: <Secret field="partyJoinDate" value={student.partyJoinDate} /> },
          { label: '注册志愿者', value: labelOf('yes_no', student.isVolunteerRegistered) },
          { label: '志愿者编号', value: student.volunteerNo },
        ]}
      />
      <Facts
        title="其他"
        items={[
          { label: '特长', value: student.specialty, isWide: true },
          { label: '备注', value: student.remark, isWide: true },
        ]}
      />
    </SecretFacts>
  )
}
