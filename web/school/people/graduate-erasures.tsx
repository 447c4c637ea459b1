import { erasureKind } from '../../../contract/core/codes/outcomes.ts'
import {
  graduationApi,
  noticeDays,
  type Erasure,
  type HeldGraduate,
} from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { RecordActions } from '../../core/action/record-actions.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { figure } from '../../core/service/figure.ts'
import { usePermission } from '../../core/service/rights.ts'
import { PersonErasures } from './person-erasures.tsx'

const release = actionOn<HeldGraduate>()({
  label: '取消保留',
  call: graduationApi.hold,
  question: ([row]) => `取消保留 ${row!.suiName} 的信息？`,
  confirm: () => '保留年限已满的，将在下一次删除时一并删除。',
  ask: <AreaField name="reason" rows={2} placeholder="原因，不少于 5 个字" />,
  input: ([row], { reason }) => ({ ids: [row!.suId], hold: false, reason: reason as string }),
  doneText: () => '已取消保留',
})

const words = {
  [erasureKind.contacts]: { title: '联系方式', what: '电话、邮箱、住址、证件号、照片和登录痕迹' },
  [erasureKind.identity]: { title: '身份信息', what: '姓名、学号等改为化名，学分、统计和已签发的成绩单不变' },
}

/**
 * What of graduates is erased by the school's own rule, when and of how many; who is kept as they are, and who was
 * erased because they asked for it.
 */
export function GraduateErasures() {
  const { data } = useCall(graduationApi.erasures, {}, { staleTime: 0 })
  const may = usePermission()
  if (!data) return <ReadSkeleton className="card graduate-erasures" paragraph={{ rows: 6 }} />
  return (
    <>
      <div className="card graduate-erasures">
        {data.kinds.map((kind) => (
          <ErasureOf key={kind.erKind} erasure={kind} />
        ))}
        <section>
          <h3>保留的人员</h3>
          {data.held.length === 0 ? (
            <p>没有要保留的人员。在学生列表中选择学生，点“保留信息”，到期也不删除。</p>
          ) : (
            <ul>
              {data.held.map((row) => (
                <li key={row.suId}>
                  <span>
                    {row.suiName}（<span className="figures">{row.suiNumber}</span>）：{row.holdReason}
                  </span>
                  <RecordActions record={row} actions={[release]} name={({ suiName }) => suiName} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      {may(personErasureApi.list) && (
        <section className="person-erasures">
          <h3>按本人申请删除</h3>
          <PersonErasures />
        </section>
      )}
    </>
  )
}

function ErasureOf({
  erasure: { erKind, years, due, running, held, undated, nextDay, announced },
}: {
  erasure: Erasure
}) {
  const { title, what } = words[erKind]
  const alone = [
    [running, '人有未完结的事项，暂不删除'],
    [held, '人已设为保留'],
    [undated, '人没有毕业日期，不会删除'],
  ] as const
  return (
    <section>
      <h3>{title}</h3>
      {years === 0 ? (
        <p>长期保留。年限在“学校信息 → 规则设置 → 毕业生信息”中设定。</p>
      ) : (
        <>
          <p>
            毕业满 {years} 年后删除：{what}。
          </p>
          <p>
            {announced
              ? `已通知：${announced.dueTime.slice(0, 10)} 起删除，当时 ${figure(announced.count)} 人；现在到期 ${figure(due)} 人。`
              : due > 0
                ? `现在到期 ${figure(due)} 人，今夜通知管理员，${noticeDays} 天后删除。`
                : `现在没有到期的人员${nextDay ? `，最早一批 ${nextDay} 到期` : ''}。`}
          </p>
          {alone.map(
            ([count, text]) => count > 0 && <p key={text} className="nothing">{`${figure(count)} ${text}。`}</p>,
          )}
        </>
      )}
    </section>
  )
}
