import type { Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { nationName } from '../../../contract/school/people/nations.ts'
import { ownProfileApi } from '../../../contract/student/profile.calls.ts'
import { useSession } from '../../app/session.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Answered, Card, Facts } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'

type Profile = Output<typeof ownProfileApi.read>

/** What the school keeps about the student, and whom they tell when something of it is wrong. */
export function ProfilePage() {
  const isGraduate = useSession()?.profile.isGraduate ?? false
  const profile = useCall(ownProfileApi.read, {}, { staleTime: 0 })
  return (
    <Page title="基本信息">
      <Answered of={profile}>
        {(one) => (
          <>
            <Card title="个人">
              <Facts
                of={[
                  ['姓名', one.suiName],
                  ['学号', one.suiNumber],
                  ['性别', labelOf('sex', one.suiSex)],
                  ['民族', nationName(one.suiNation)],
                  ['政治面貌', one.suiPolitical ? labelOf('political', one.suiPolitical) : '未登记'],
                  ['出生日期', one.birth ? `${one.birth}（已登记）` : '未登记'],
                  ['证件号码', one.suiIdCard ?? '未登记'],
                  ['志愿者', one.isVolunteerRegistered === yesNo.yes ? one.volunteerNo || '已注册' : '未登记'],
                ]}
              />
            </Card>
            <Card title="学籍">
              <Facts
                of={[
                  ['学院', one.suiCollegeName],
                  ['专业', one.majorName],
                  ['年级', one.suiGrade && `${one.suiGrade} 级`],
                  ['班级', one.scClassName],
                  ['校区', one.suiCampus],
                  ['层次', one.suiEduLevel && labelOf('edu_level', one.suiEduLevel)],
                  ['学制', one.suiStudyYears && `${one.suiStudyYears} 年`],
                  ['入学日期', one.suiEnterDate],
                  ['预计毕业', one.suiGraduateDate],
                  ['学籍状态', labelOf('student_status', one.suiStatus)],
                ]}
              />
            </Card>
            <p className="s-note">{whomToTell(one, isGraduate)}</p>
          </>
        )}
      </Answered>
    </Page>
  )
}

/** Who mends what is wrong: whoever looks after the class, else the college. */
function whomToTell(
  {
    counselorName,
    headTeacherName,
    suiCollegeName,
  }: Pick<Profile, 'counselorName' | 'headTeacherName' | 'suiCollegeName'>,
  isGraduate: boolean,
): string {
  const college = suiCollegeName ? `${suiCollegeName}办公室` : '学院办公室'
  const people = [
    ...(counselorName ? [`辅导员${counselorName}`] : []),
    ...(headTeacherName && headTeacherName !== counselorName ? [`班主任${headTeacherName}`] : []),
  ]
  return people.length === 0 || isGraduate
    ? `信息有误请联系${college}更正。`
    : `信息有误请联系${people.join('或')}，也可到${college}更正。`
}
