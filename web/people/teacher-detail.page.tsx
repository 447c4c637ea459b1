import { useSearchParams } from 'react-router'
import { nationName } from '../../contract/people/nations.ts'
import { teacherApi, type TeacherDetail } from '../../contract/people/teachers.calls.ts'
import { DetailPage, Facts } from '../core/detail-page.tsx'
import { labelOf } from '../core/dictionary.ts'
import { DictChip } from '../core/status-chip.tsx'
import { useCall } from '../core/use-call.ts'
import { teacherPaths } from './people-paths.ts'
import { teacherTones } from './person-parts.tsx'
import { PersonSide } from './person-side.tsx'
import { useTeacherActs } from './teacher-acts.tsx'
import { useGone } from './use-gone.ts'
import './people.css'

/** A member of staff: who he is, what he does, and his account. */
export function TeacherDetailPage() {
  const [query] = useSearchParams()
  const { isGone, leave } = useGone(teacherPaths.list)
  const { data: teacher, isPending } = useCall(teacherApi.detail, { id: query.get('suId') ?? '' }, { enabled: !isGone })
  const { acts, dialogs } = useTeacherActs('detail', leave)
  return (
    <>
      <DetailPage<TeacherDetail>
        record={teacher}
        isLoading={isPending}
        name={({ suiName }) => suiName}
        status={({ suiStatus }) => <DictChip type="teacher_status" value={suiStatus} tones={teacherTones} />}
        facts={({ suiNumber, suiCollegeName, departments, title, post }) =>
          [suiNumber, suiCollegeName ?? departments.map(({ sdName }) => sdName).join('、'), labelOf('teacher_title', title), post].filter(Boolean).join(' · ')}
        acts={acts}
        tabs={(record) => [{ key: 'info', title: '基本信息', content: <TeacherFacts teacher={record} /> }]}
        side={(record) => <PersonSide person={record} />}
      />
      {dialogs}
    </>
  )
}

function TeacherFacts({ teacher }: { teacher: TeacherDetail }) {
  return (
    <>
      <Facts
        title="基本信息"
        items={[
          { label: '姓名', value: teacher.suiName }, { label: '工号', value: teacher.suiNumber },
          { label: '性别', value: labelOf('sex', teacher.suiSex) }, { label: '出生日期', value: teacher.birth ?? (teacher.can.includes('edit') ? null : <span className="nothing">无权查看</span>) },
          { label: '民族', value: nationName(teacher.suiNation) }, { label: '政治面貌', value: labelOf('political', teacher.suiPolitical) },
          { label: '证件类型', value: labelOf('id_type', teacher.suiIdType) }, { label: '证件号码', value: teacher.suiIdCard },
        ]}
      />
      <Facts
        title="任职信息"
        items={[
          { label: '学院', value: teacher.suiCollegeName }, { label: '部门', value: teacher.departments.map(({ sdName, post }) => (post ? `${sdName}（${post}）` : sdName)).join('、') },
          { label: '职称', value: labelOf('teacher_title', teacher.title) }, { label: '教师类型', value: labelOf('teacher_type', teacher.teacherType) },
          { label: '职务', value: teacher.post }, { label: '指导课程', value: `${teacher.guideLessonCount} 门` },
          { label: '所带班级', value: teacher.classes.map(({ scClassName }) => scClassName).join('、'), isWide: true },
        ]}
      />
      <Facts title="联系方式" items={[{ label: '手机号', value: teacher.suiPhone }, { label: '邮箱', value: teacher.suiEmail }]} />
      <Facts title="其他" items={[{ label: '特长', value: teacher.specialty, isWide: true }, { label: '备注', value: teacher.remark, isWide: true }]} />
    </>
  )
}
