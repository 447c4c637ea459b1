import { Segmented, Skeleton } from 'antd'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { messagePreferenceApi } from '../../../contract/school/channels/message-texts.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'

/** By which channel the person wants which messages; nothing where the school has switched none on. */
export function MessagePreferences() {
  const { data } = useCall(messagePreferenceApi.list, {}, { staleTime: 0 })
  const save = useSend(messagePreferenceApi.save)
  if (data?.length === 0) return null
  const channels = [...new Set(data?.map(({ odChannel }) => odChannel))]
  return (
    <section className="card account-part" aria-label="消息接收方式">
      <header>
        <h2>消息接收方式</h2>
      </header>
      <p>平台内的消息照常显示；另外发到哪里，由您决定。验证码不受影响。</p>
      {!data ? (
        <Skeleton active />
      ) : (
        channels.map((channel) => {
          const rows = data.filter(({ odChannel }) => odChannel === channel)
          const name = labelOf('message_channel', channel)
          return (
            <div key={channel} className="message-wishes">
              <b>{name}</b>
              <small>{rows[0]!.target || `尚无地址，收不到${name}；请联系学院补充联系方式`}</small>
              <ul>
                {rows.map(({ messageKind, mpMode, modes }) => (
                  <li key={messageKind}>
                    <span>{labelOf('message_kind', messageKind)}消息</span>
                    <Segmented
                      size="small"
                      aria-label={`${name}：${labelOf('message_kind', messageKind)}消息`}
                      value={mpMode}
                      disabled={save.isSending}
                      options={modes.map((value) => ({ value, label: labelOf('message_mode', value) }))}
                      onChange={(mode) =>
                        void save
                          .send({ odChannel: channel, messageKind, mpMode: mode })
                          .then(() => notify('success', '已保存'))
                          .catch(() => undefined)
                      }
                    />
                  </li>
                ))}
              </ul>
            </div>
          )
        })
      )}
    </section>
  )
}
