import { Form } from 'antd'
import { resultStatus } from '../../../contract/core/codes/programme.ts'
import { fromHundredths, toHundredths } from '../../../contract/core/fields.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField, DictionaryField, SelectField } from '../../core/form/fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { needsSignReason, signChoices } from '../../shared/lessons/signs-by-hand.ts'
import { amountText, figure } from '../../core/service/figure.ts'

/** Attendance to set for the chosen; making it up afterwards needs a reason. */
export function SignFields() {
  const status = Form.useWatch<string | undefined>('laSignStatus')
  const isMadeUp = needsSignReason(status)
  return (
    <>
      <SelectField name="laSignStatus" label="签到状态" options={signChoices()} open />
      <AreaField
        key={isMadeUp ? 'needed' : 'free'}
        name="reason"
        label={isMadeUp ? '补签原因' : '说明'}
        required={isMadeUp}
        rows={2}
        placeholder={isMadeUp ? '不少于 5 个字，将记入课程动态' : '可不填'}
      />
    </>
  )
}

/** Result and award to set for the chosen, or for a team. Hours follow from them and are only shown. */
export function AwardFields({ lesson, isTeam = false }: { lesson: LessonDetail; isTeam?: boolean }) {
  const { data: awards = [] } = useCall(registrationApi.loadAward, { liId: lesson.liId })
  const result = Form.useWatch<string | undefined>('laResult')
  const adId = Form.useWatch<string | undefined>('adId')
  const award = result === resultStatus.awarded ? awards.find((one) => one.adId === adId) : undefined
  const worth =
    result === resultStatus.failed
      ? '不计学时'
      : result === resultStatus.awarded && !award
        ? '选择奖项后显示'
        : worthOf(lesson, award)
  const choices = [resultStatus.passed, ...(awards.length > 0 ? [resultStatus.awarded] : []), resultStatus.failed].map(
    (value) => ({
      value,
      label: labelOf('result_status', value),
    }),
  )
  return (
    <>
      <SelectField name="laResult" label="结果" options={choices} open />
      {result === resultStatus.awarded && (
        <SelectField
          name="adId"
          label="奖项"
          required
          options={awards.map(({ adId: value, adName, hours, quota, used }) => ({
            value,
            label: `${adName} · 加 ${amountText(hours)} 学时 · 已用 ${figure(used)}/${quota === null ? '不限' : figure(quota)}`,
          }))}
        />
      )}
      {!isTeam && <DictionaryField name="partakeMode" label="参与方式" type="partake_mode" placeholder="不改变" />}
      <p className="span-12 award-worth">
        每人认定：<b>{worth}</b>
        <small>参与方式系数{isTeamCourse(lesson) && '、团队分配'}与学时上限按评价规则计算</small>
      </p>
    </>
  )
}

const plus = (one: string, other: string) => fromHundredths((toHundredths(one) ?? 0) + (toHundredths(other) ?? 0))

/** What a participant gets before factors and caps: the course's own amounts, and those an award adds. */
function worthOf({ liHours, liCredit }: LessonDetail, award: { hours: string; credit: string } | undefined): string {
  if (!award) return `${liHours} 学时 · ${liCredit} 学分`
  return `${plus(liHours, award.hours)} 学时（课程 ${liHours} + 奖项 ${amountText(award.hours)}） · ${plus(liCredit, award.credit)} 学分`
}
