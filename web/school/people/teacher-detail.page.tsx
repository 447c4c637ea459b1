import { useSearchParams } from 'react-router'
import { nationName } from '../../../contract/school/people/nations.ts'
import { teacherApi, type TeacherDetail } from '../../../contract/school/people/teachers.calls.ts'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { withAccountActions } from './account-actions.tsx'
import { teacherPaths } from './people-paths.ts'
import { Political, teacherTones } from './person-parts.tsx'
import { PersonSide } from './person-side.tsx'
import { RolesTab } from './roles-tab.tsx'
import { Secret, SecretFacts } from './secrets.tsx'
import { useTeacherActions } from './teacher-actions.tsx'
import { TeacherLessons, TeacherPlaces } from './teacher-tabs.tsx'
import { useLeaveOnRemoval } from '../../core/screen/use-leave-on-removal.ts'
import { amountText, figure } from '../../core/service/figure.ts'
import './people.css'

/** A member of staff: who they are, what they do, and their account. */
export function TeacherDetailPage() {
  const [query] = useSearchParams()
  const { isGone, leave } = useLeaveOnRemoval(teacherPaths.list)
  const {
    data: teacher,
    isPending,
    error,
    refetch,
  } = useCall(teacherApi.detail, { id: query.get('suId') ?? '' }, { enabled: !isGone })
  const { acts, dialogs } = useTeacherActions('detail', leave)
  return (
    <>
      <DetailPage<TeacherDetail>
        record={teacher}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="教师"
        list={teacherPaths.list}
        idOf={({ suId }) => suId}
        name={({ suiName }) => suiName}
        status={({ suiStatus }) => <DictionaryChip type="teacher_status" value={suiStatus} tones={teacherTones} />}
        facts={({ suiNumber, suiCollegeName, departments, title, post }) =>
          [
            suiNumber,
            suiCollegeName ?? departments.map(({ sdName }) => sdName).join('、'),
            labelOf('teacher_title', title),
            post,
          ]
            .filter(Boolean)
            .join(' · ')
        }
        actions={withAccountActions('teacher', acts)}
        tabs={(record) => [
          { key: 'info', title: '基本信息', content: <TeacherFacts teacher={record} /> },
          { key: 'places', title: '部门', content: <TeacherPlaces teacher={record} /> },
          { key: 'lessons', title: '指导课程', isWide: true, content: <TeacherLessons suId={record.suId} /> },
          {
            key: 'roles',
            title: '角色',
            isWide: true,
            content: <RolesTab suId={record.suId} roles={record.roles} />,
          },
          { key: 'history', title: '动态', content: <RecordTimeline bizType="person" bizId={record.suId} /> },
        ]}
        side={(record) => <PersonSide kind="teacher" person={record} />}
      />
      {dialogs}
    </>
  )
}

function TeacherFacts({ teacher }: { teacher: TeacherDetail }) {
  return (
    <SecretFacts person={teacher}>
      <Facts
        title="基本信息"
        items={[
          { label: '姓名', value: teacher.suiName },
          { label: '工号', value: teacher.suiNumber },
          { label: '性别', value: labelOf('sex', teacher.suiSex) },
          { label: '出生日期', value: <Secret field="birth" value={teacher.birth} /> },
          { label: '民族', value: nationName(teacher.suiNation) },
          { label: '政治面貌', value: <Political value={teacher.suiPolitical} /> },
          { label: '证件类型', value: labelOf('id_type', teacher.suiIdType) },
          { label: '证件号码', value: <Secret field="suiIdCard" value={teacher.suiIdCard} /> },
        ]}
      />
      <Facts
        title="任职信息"
        items={[
          { label: '学院', value: teacher.suiCollegeName },
          {
            label: '部门',
            value: teacher.departments.map(({ sdName, post }) => (post ? `${sdName}（${post}）` : sdName)).join('、'),
          },
          { label: '职称', value: labelOf('teacher_title', teacher.title) },
          { label: '教师类型', value: labelOf('teacher_type', teacher.teacherType) },
          { label: '职务', value: teacher.post },
          {
            label: '指导课程',
            value: `${figure(teacher.guideLessonCount)} 门，已完成 ${amountText(teacher.totalGuideHours)} 学时`,
          },
          { label: '指导圈子', value: `${figure(teacher.guideCircleCount)} 个` },
        ]}
      />
      <Facts
        title="联系方式"
        items={[
          { label: '手机号', value: <Secret field="suiPhone" value={teacher.suiPhone} /> },
          { label: '邮箱', value: <Secret field="suiEmail" value={teacher.suiEmail} /> },
        ]}
      />
      <Facts
        title="其他"
        items={[
          { label: '特长', value: teacher.specialty, isWide: true },
          { label: '备注', value: teacher.remark, isWide: true },
        ]}
      />
    </SecretFacts>
  )
}
