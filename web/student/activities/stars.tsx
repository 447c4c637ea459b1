import { useState } from 'react'
import { ownActivityApi, type Activity } from '../../../contract/student/activities.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { Card } from '../parts/pieces.tsx'

const words = ['很不满意', '不满意', '一般', '满意', '很满意'] as const

/** What the student thought of an activity they took part in: one touch, which they may change while the time runs. */
export function Stars({ activity: { liId, laStars, starsUntil, can } }: { activity: Activity }) {
  const rate = useSend(ownActivityApi.rate)
  const [chosen, setChosen] = useState(laStars)
  const may = can.includes('rate')
  if (!may && laStars === null) return null
  const give = (stars: number) => {
    setChosen(stars)
    void rate.send({ liId, laStars: stars }).then(
      () => notify('success', '已评价，感谢反馈'),
      () => setChosen(laStars),
    )
  }
  return (
    <Card title="评价活动" note={chosen === null ? undefined : words[chosen - 1]}>
      <fieldset className="s-stars" disabled={!may || rate.isSending}>
        <legend className="visually-hidden">您对这次活动满意吗</legend>
        {words.map((word, at) => (
          <label key={word}>
            <input
              type="radio"
              name="stars"
              className="visually-hidden"
              checked={chosen === at + 1}
              onChange={() => give(at + 1)}
            />
            <span aria-hidden="true" className={chosen !== null && at < chosen ? 's-star-on' : undefined}>
              ★
            </span>
            <span className="visually-hidden">{`${at + 1} 星，${word}`}</span>
          </label>
        ))}
      </fieldset>
      <p className="s-note">
        {may ? `主办方只看到平均分，不知道是谁评的；${starsUntil.slice(0, 16)} 前可以修改。` : '评价已截止。'}
      </p>
    </Card>
  )
}
