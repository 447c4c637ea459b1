import { Link, useNavigate, useSearchParams } from 'react-router'
import { studentApi, type StudentDetail } from '../../contract/people/students.calls.ts'
import { DetailPage, Facts } from '../core/detail-page.tsx'
import { labelOf } from '../core/dictionary.ts'
import { DictChip } from '../core/status-chip.tsx'
import { useCall } from '../core/use-call.ts'
import { nationName } from '../../contract/people/nations.ts'
import { AccountChip, gradeText, studentTones } from './person-parts.tsx'
import { studentPaths, useStudentActs } from './student-acts.tsx'
import './people.css'

/** A student: who he is, where he studies, what his account and record say. */
export function StudentDetailPage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const { data, isPending } = useCall(studentApi.detail, { id: query.get('id') ?? '' })
  const { edit, reset, appoint, remove, dialog } = useStudentActs(() => void navigate(studentPaths.list))
  return (
    <>
      <DetailPage<StudentDetail>
        record={data}
        isLoading={isPending}
        name={({ suiName }) => suiName}
        status={({ suiStatus }) => <DictChip type="student_status" value={suiStatus} tones={studentTones} />}
        facts={(one) => [one.suiNumber, one.suiCollegeName, one.majorName, one.scClassName].filter(Boolean).join(' · ')}
        acts={[edit, reset, appoint, remove]}
        tabs={(one) => [{ key: 'facts', title: '学生资料', content: <StudentFacts student={one} /> }]}
        side={(one) => <StudentSide student={one} />}
      />
      {dialog}
    </>
  )
}

function StudentFacts({ student }: { student: StudentDetail }) {
  const word = (type: string, value: string | null) => (value ? labelOf(type, value) : null)
  return (
    <>
      <Facts
        title="基本信息"
        items={[
          { label: '姓名', value: student.suiName },
          { label: '学号', value: student.suiNumber },
          { label: '性别', value: word('sex', student.suiSex) },
          { label: '出生日期', value: student.birth },
          { label: '民族', value: nationName(student.suiNation) },
          { label: '政治面貌', value: word('political', student.suiPolitical) },
          { label: '证件类型', value: word('id_type', student.suiIdType) },
          { label: '证件号码', value: student.suiIdCard },
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
          { label: '层次', value: word('edu_level', student.suiEduLevel) },
          { label: '学制', value: student.suiStudyYears && `${student.suiStudyYears} 年` },
          { label: '校区', value: student.suiCampus },
          { label: '入学日期', value: student.suiEnterDate },
          { label: '预计毕业', value: student.suiGraduateDate },
        ]}
      />
      <Facts
        title="联系方式与其他"
        items={[
          { label: '手机号', value: student.suiPhone },
          { label: '邮箱', value: student.suiEmail },
          { label: '籍贯', value: student.homePlaceName },
          { label: '家庭住址', value: student.suiAddress },
          { label: '特长', value: student.specialty, isWide: true },
          { label: '备注', value: student.remark, isWide: true },
        ]}
      />
    </>
  )
}

function StudentSide({ student }: { student: StudentDetail }) {
  return (
    <>
      <Facts
        title="第二课堂"
        items={[
          { label: '累计学时', value: student.totalHours, isWide: true },
          { label: '累计学分', value: student.totalCredit, isWide: true },
          { label: '志愿时长', value: student.volunteerHours, isWide: true },
          { label: '诚信分', value: student.suiCredibility, isWide: true },
          ...(student.blackUntil ? [{ label: '限制报名至', value: student.blackUntil, isWide: true }] : []),
          { label: '成绩单', value: <Link to={`/transcript/transcriptDetail?suId=${student.suId}`}>查看成绩单</Link>, isWide: true },
        ]}
      />
      <Facts
        title="账号"
        items={[
          { label: '状态', value: <AccountChip {...student} />, isWide: true },
          { label: '角色', value: student.roles.map(({ srName }) => srName).join('、'), isWide: true },
          { label: '最近登录', value: student.lastLoginTime, isWide: true },
          { label: '建档', value: [student.createName, student.createTime].filter(Boolean).join(' · '), isWide: true },
          { label: '最近修改', value: student.updateTime, isWide: true },
        ]}
      />
    </>
  )
}
