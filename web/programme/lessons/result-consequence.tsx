import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { amountText, figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

const people = (count: number): string => `${figure(count)} 人`

/** What submitting the result of a course means for its people, in numbers. */
export function ResultConsequence({ liId }: { liId: string }) {
  const { data, ...reading } = useCall(lessonApi.resultPreview, { liId }, { staleTime: 0 })
  if (!data) return <ReadSkeleton reading={reading} title={false} paragraph={{ rows: 4 }} />
  const { admitted, signed, unrated, absent, early, failed, passed, awarded, hours, credit } = data
  return (
    <ul className="ask-facts" aria-label="提交后">
      <li>
        录取 {people(admitted)}，已签到 {people(signed)}
      </li>
      {unrated > 0 && <li className="hint-warning">已签到而未评定 {people(unrated)}：须先评定，否则不能提交</li>}
      {absent > 0 && (
        <li className={absent * 2 > admitted ? 'hint-warning' : ''}>
          未签到 {people(absent)}：记为缺席、不合格，不得学时，并按规则扣诚信分
        </li>
      )}
      {early > 0 && <li>早退或未按要求签退 {people(early)}：记为早退、不合格，不得学时</li>}
      {failed > 0 && <li>评定为不合格 {people(failed)}：不得学时</li>}
      <li>
        合格 {people(passed)}
        {awarded > 0 && `（其中获奖 ${people(awarded)}）`}：共 {amountText(hours)} 学时、{credit} 学分，公示期满入账
      </li>
    </ul>
  )
}
