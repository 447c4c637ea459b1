import { useState } from 'react'
import { ownCalendarApi } from '../../../contract/student/calendar.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useConfirm } from '../parts/confirm.tsx'
import { Answered, Card, Facts } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'

/** The address at which the phone's own calendar fetches the student's activities. */
export function FeedPage() {
  const feed = useCall(ownCalendarApi.feed, {}, { staleTime: 0 })
  const make = useSend(ownCalendarApi.makeFeed)
  const revoke = useSend(ownCalendarApi.revokeFeed)
  const [address, setAddress] = useState('')
  const { ask, question } = useConfirm()
  const making = async () => {
    const made = await make.send({})
    // the service tells a path alone where it does not know its own address: it is this one
    setAddress(new URL(made.address, window.location.origin).href)
  }
  const ending = async () => {
    await revoke.send({})
    setAddress('')
    notify('success', '已停用，原地址不再可用')
  }
  return (
    <Page title="日历订阅">
      <Card>
        <p>把您报名的活动放进手机或电脑自带的日历：改期、取消会自动更新，不必再打开本页面。</p>
        <p>知道地址的人都能看到您的活动安排，请勿转发；泄露后请立即更换。</p>
      </Card>
      {address && (
        <Card title="订阅地址">
          <p className="s-address">{address}</p>
          <p>地址只在这里显示一次，请现在复制；以后找不到了可以更换一个。</p>
          <div className="s-acts">
            <button
              type="button"
              className="s-button s-primary"
              onClick={() =>
                void navigator.clipboard.writeText(address).then(
                  () => notify('success', '已复制，请在日历中选择“添加订阅日历”'),
                  () => notify('warning', '没有复制成功，请长按地址复制'),
                )
              }
            >
              复制地址
            </button>
            <a className="s-button" href={address.replace(/^https?:/, 'webcal:')}>
              在日历中打开
            </a>
          </div>
        </Card>
      )}
      <Answered of={feed}>
        {(kept) =>
          kept ? (
            <Card title="当前的订阅">
              <Facts
                of={[
                  ['生成时间', kept.createTime.slice(0, 16)],
                  ['最近读取', kept.lastTime?.slice(0, 16) ?? '还没有日历读取过'],
                ]}
              />
              {question ?? (
                <div className="s-acts">
                  <button
                    type="button"
                    className="s-button"
                    onClick={() =>
                      ask({
                        name: '更换地址',
                        text: '更换后原地址立即失效，已添加到日历中的须换成新地址。更换？',
                        run: making,
                      })
                    }
                  >
                    更换地址
                  </button>
                  <button
                    type="button"
                    className="s-button"
                    onClick={() =>
                      ask({ name: '停用', text: '停用后原地址立即失效，日历中的活动不再更新。停用？', run: ending })
                    }
                  >
                    停用
                  </button>
                </div>
              )}
              <p className="s-note">更换或停用后，已添加到日历中的旧地址不再更新。</p>
            </Card>
          ) : (
            <button
              type="button"
              className="s-button s-primary s-wide"
              disabled={make.isSending}
              onClick={() => void making().catch(() => undefined)}
            >
              生成订阅地址
            </button>
          )
        }
      </Answered>
    </Page>
  )
}
