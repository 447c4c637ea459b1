import { useNavigate, useSearchParams } from 'react-router'
import { nationName } from '../../contract/people/nations.ts'
import { teacherApi, type TeacherDetail } from '../../contract/people/teachers.calls.ts'
import { DetailPage, Facts } from '../core/detail-page.tsx'
import { labelOf } from '../core/dictionary.ts'
import { DictChip } from '../core/status-chip.tsx'
import { useCall } from '../core/use-call.ts'
import { AccountChip, teacherTones } from './person-parts.tsx'
import { teacherPaths, useTeacherActs } from './teacher-acts.tsx'
import './people.css'

/** A member of staff: who he is, where he belongs, what his account says. */
export function TeacherDetailPage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const { data, isPending } = useCall(teacherApi.detail, { id: query.get('id') ?? '' })
  const { edit, reset, remove, dialog } = useTeacherActs(() => void navigate(teacherPaths.list))
  return (
    <>
      <DetailPage<TeacherDetail>
        record={data}
        isLoading={isPending}
        name={({ suiName }) => suiName}
        status={({ suiStatus }) => <DictChip type="teacher_status" value={suiStatus} tones={teacherTones} />}
        facts={(one) => [one.suiNumber, one.suiCollegeName, ...one.departments.map(({ sdName }) => sdName)].filter(Boolean).join(' · ')}
        acts={[edit, reset, remove]}
        tabs={(one) => [{ key: 'facts', title: '教师资料', content: <TeacherFacts teacher={one} /> }]}
        side={(one) => <TeacherSide teacher={one} />}
      />
      {dialog}
    </>
  )
}

function TeacherFacts({ teacher }: { teacher: TeacherDetail }) {
  const word = (type: string, value: string | null) => (value ? labelOf(type, value) : null)
  return (
    <>
      <Facts
        title="基本信息"
        items={[
          { label: '姓名', value: teacher.suiName },
          { label: '工号', value: teacher.suiNumber },
          { label: '性别', value: word('sex', teacher.suiSex) },
          { label: '出生日期', value: teacher.birth },
          { label: '民族', value: nationName(teacher.suiNation) },
          { label: '政治面貌', value: word('political', teacher.suiPolitical) },
          { label: '证件类型', value: word('id_type', teacher.suiIdType) },
          { label: '证件号码', value: teacher.suiIdCard },
        ]}
      />
      <Facts
        title="任职信息"
        items={[
          { label: '学院', value: teacher.suiCollegeName },
          { label: '部门', value: teacher.departments.map(({ sdName, post }) => (post ? `${sdName}（${post}）` : sdName)).join('、') },
          { label: '职称', value: word('teacher_title', teacher.title) },
          { label: '类型', value: word('teacher_type', teacher.teacherType) },
          { label: '职务', value: teacher.post },
          { label: '指导课程', value: `${teacher.guideLessonCount} 门` },
          { label: '所带班级', value: teacher.classes.map(({ scClassName }) => scClassName).join('、'), isWide: true },
        ]}
      />
      <Facts
        title="联系方式与其他"
        items={[
          { label: '手机号', value: teacher.suiPhone },
          { label: '邮箱', value: teacher.suiEmail },
          { label: '特长', value: teacher.specialty, isWide: true },
          { label: '备注', value: teacher.remark, isWide: true },
        ]}
      />
    </>
  )
}

function TeacherSide({ teacher }: { teacher: TeacherDetail }) {
  return (
    <Facts
      title="账号"
      items={[
        { label: '状态', value: <AccountChip {...teacher} />, isWide: true },
        { label: '角色', value: teacher.roles.map(({ srName }) => srName).join('、'), isWide: true },
        { label: '最近登录', value: teacher.lastLoginTime, isWide: true },
        { label: '建档', value: [teacher.createName, teacher.createTime].filter(Boolean).join(' · '), isWide: true },
        { label: '最近修改', value: teacher.updateTime, isWide: true },
      ]}
    />
  )
}
