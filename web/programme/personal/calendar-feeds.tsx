import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { calendarFeedApi } from '../../../contract/programme/personal/calendar-feeds.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { notify } from '../../core/service/notice.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'

type Feed = Output<typeof calendarFeedApi.list>['feeds'][number]

const all = 'all'
const nameOf = ({ scId, scName }: Feed): string => (scId === null ? '我可见的全部课程' : scName)

const revoke = actionOn<Feed>()({
  label: '停用',
  call: calendarFeedApi.revoke,
  isDanger: true,
  question: ([row]) => `确认停用${quoted(nameOf(row!))}的日历订阅？`,
  confirm: '已添加到日历中的地址不再更新；再次生成时地址会不同。',
  input: ([row]) => ({ feedId: row!.feedId }),
  doneText: () => '已停用日历订阅',
})

/** The addresses at which a calendar program fetches the courses that the person may see, by college. */
export function CalendarFeedsPart() {
  const may = usePermission()(calendarFeedApi.list)
  const { data } = useCall(calendarFeedApi.list, {}, { enabled: may, staleTime: 0 })
  const make = useSend(calendarFeedApi.make)
  const [chosen, setChosen] = useState<string>(all)
  const [address, setAddress] = useState('')
  if (!may) return null
  const isThere = data?.feeds.some(({ scId }) => (scId ?? all) === chosen)
  const making = async () => {
    const made = await make.send(chosen === all ? {} : { scId: chosen }).catch(() => undefined)
    if (made) setAddress(new URL(made.address, window.location.origin).href)
  }
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => notify('success', '已复制，请在日历软件中选择“添加订阅日历”'),
      () => notify('warning', '没有复制成功，请选中地址后复制'),
    )
  return (
    <section className="card account-part" aria-label="日历订阅">
      <header>
        <h2>日历订阅</h2>
        <div>
          <Select
            aria-label="订阅哪些课程"
            value={chosen}
            onChange={(next: string) => {
              setChosen(next)
              setAddress('')
            }}
            popupMatchSelectWidth={false}
            options={[
              { value: all, label: '我可见的全部课程' },
              ...(data?.colleges ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <ActionButton to={calendarFeedApi.make} disabled={make.isSending} onClick={making}>
            {isThere ? '更换地址' : '生成地址'}
          </ActionButton>
        </div>
      </header>
      <p>
        在手机或电脑的日历中查看课程安排，改期与取消自动更新。知道地址的人都能看到，请勿转发；账号停用或不再负责时自动失效。
      </p>
      {address && (
        <>
          <p>地址只显示这一次，请现在复制。</p>
          <div className="feed-address">
            <Input readOnly aria-label="日历订阅地址" value={address} onFocus={({ target }) => target.select()} />
            <Button onClick={() => void copy()}>复制</Button>
          </div>
        </>
      )}
      {data && data.feeds.length > 0 && (
        <ul>
          {data.feeds.map((row) => (
            <li key={row.feedId}>
              <div>
                <b>{nameOf(row)}</b>
                <small>
                  生成于 {row.createTime.slice(0, 16)} ·{' '}
                  {row.lastTime ? `最近读取 ${row.lastTime.slice(0, 16)}` : '还没有日历读取过'}
                </small>
              </div>
              <Button
                size="small"
                aria-label={`停用${nameOf(row)}的日历订阅`}
                onClick={() => doAction(revoke, [row], nameOf)}
              >
                停用
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
