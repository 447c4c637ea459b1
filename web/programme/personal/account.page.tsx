import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { ownSessionApi, type OwnSession } from '../../../contract/school/session/own-sessions.calls.ts'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { DelegationsDialog } from '../../shared/delegations/delegations-dialog.tsx'
import { actionOn } from '../../core/action/action.tsx'
import { download } from '../../core/service/api.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { notify } from '../../core/service/notice.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { deviceName } from '../../shared/accounts/device-name.ts'
import { BindingsPart } from './bindings-part.tsx'
import { CalendarFeedsPart } from './calendar-feeds.tsx'
import { MessagePreferences } from './message-preferences.tsx'
import { RememberedDevices } from './remembered-devices.tsx'
import { figure } from '../../core/service/figure.ts'
import './account.css'

const action = actionOn<OwnSession>()
const end = action({
  label: '退出',
  call: ownSessionApi.end,
  isDanger: true,
  question: ([row]) => `确认退出${quoted(deviceName(row!.agent))}？`,
  confirm: '该设备须重新登录才能使用。',
  input: ([row]) => ({ sessionId: row!.sessionId }),
  doneText: () => '已退出该设备',
})
const endAll = action({
  label: '退出其他设备',
  call: ownSessionApi.end,
  isDanger: true,
  question: (rows) => `确认退出其他 ${rows.length} 台设备？`,
  confirm: '当前设备不受影响。',
  input: () => ({}),
  doneText: ({ affected }) => `已退出 ${figure(affected)} 台设备`,
})
const approvalScreens = [
  '/checkAdmin/publishCheck',
  '/checkAdmin/resultCheck',
  '/checkAdmin/supplementCheck',
  '/checkAdmin/informCheck',
]

/** What is the person's own: where they are signed in, who stands in for them, and what is held about them. */
export function AccountPage() {
  const { data: sessions } = useCall(ownSessionApi.list, {}, { staleTime: 0 })
  const navigate = useNavigate()
  const [hasDelegations, setDelegations] = useState(false)
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? []
  const fetchData = async (format: 'html' | 'json') =>
    notify('success', `已保存${quoted(await download(personalApi.myData, { format }))}`)
  return (
    <div className="page">
      <PageHead title="账号与设备" facts={sessions && `${sessions.length} 台设备已登录`} />
      <section className="card account-part" aria-label="登录设备">
        <header>
          <h2>登录设备</h2>
          {others.length > 0 && (
            <LockButton onClick={() => doAction(endAll, others, ({ agent }) => deviceName(agent))}>
              退出其他设备
            </LockButton>
          )}
        </header>
        <p>发现不认识的设备，请先退出，再修改密码。</p>
        {!sessions ? (
          <ReadSkeleton />
        ) : (
          <ul>
            {sessions.map((row) => (
              <li key={row.sessionId}>
                <div>
                  <b title={row.agent}>{deviceName(row.agent)}</b>
                  {row.isCurrent && <StatusChip tone="finished">当前设备</StatusChip>}
                  <small>
                    {row.ip} · 登录于 {row.createTime.slice(0, 16)} · 最近使用 {row.lastSeen.slice(0, 16)}
                  </small>
                </div>
                {!row.isCurrent && (
                  <Button
                    size="small"
                    aria-label={`退出${deviceName(row.agent)}`}
                    onClick={() => doAction(end, [row], ({ agent }) => deviceName(agent))}
                  >
                    退出
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <SecondFactorPart />
      <BindingsPart />
      <CalendarFeedsPart />
      <MessagePreferences />
      {approvalScreens.some(isScreenOpen) && (
        <section className="card account-part" aria-label="审批代理">
          <header>
            <h2>审批代理</h2>
            <Button onClick={() => setDelegations(true)}>查看与设置</Button>
          </header>
          <p>出差或请假期间，可委托有相同审批权限的人代为审批。</p>
        </section>
      )}
      <section className="card account-part" aria-label="我的数据">
        <header>
          <h2>我的数据</h2>
          <div>
            <LockButton onClick={() => fetchData('html')}>下载可阅读文件</LockButton>
            <LockButton onClick={() => fetchData('json')}>下载 JSON</LockButton>
          </div>
        </header>
        <p>
          本平台保存的关于您本人的资料、报名与结果、补录、学时台账、消息与登录记录。文件含个人敏感信息，请妥善保管；下载会记入操作日志。
        </p>
      </section>
      <section className="card account-part" aria-label="隐私告知">
        <header>
          <h2>隐私告知</h2>
          <Button onClick={() => void navigate('/personalCenter/privacyNotice')}>查看</Button>
        </header>
        <p>学校处理哪些个人信息、为什么处理、保存多久，以及您的权利。</p>
      </section>
      {hasDelegations && <DelegationsDialog onClose={() => setDelegations(false)} />}
    </div>
  )
}

/** Whether a code is asked for beside the password, and which devices are not asked for it. */
function SecondFactorPart() {
  const { data } = useCall(secondFactorApi.state, {}, { staleTime: 0 })
  const navigate = useNavigate()
  return (
    <section className="card account-part" aria-label="动态口令">
      <header>
        <h2>动态口令</h2>
        <Button onClick={() => void navigate('/personalCenter/secondFactor')}>{data?.since ? '管理' : '启用'}</Button>
      </header>
      <p>
        {data?.since
          ? `${data.since.slice(0, 10)} 起启用，登录时除密码外还须输入手机上的口令；恢复码还剩 ${data.codesLeft} 个。`
          : '启用后，登录时除密码外还须输入手机身份验证器上的口令，密码泄露也不会被他人登录。'}
      </p>
      {data && data.devices.length > 0 && <RememberedDevices devices={data.devices} />}
    </section>
  )
}
