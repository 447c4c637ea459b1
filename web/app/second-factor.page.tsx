import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { secondFactorApi, type SecondFactor } from '../../contract/school/session/second-factor.calls.ts'
import { Facts } from '../core/action/detail-page.tsx'
import { LockButton } from '../core/parts/buttons.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { send } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { passwordDigest } from '../core/service/sha256.ts'
import { useCall } from '../core/service/use-call.ts'
import { ProofForm, type Proven } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { reopenSession, useSession } from './session.ts'
import './second-factor.css'

/** What is being done on the page; undefined where the state of things is shown. */
type Step =
  | { kind: 'password' | 'renew' | 'disable' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'codes'; codes: string[] }

/** One's own second factor: setting it up, new recovery codes, another phone, switching it off. */
export function SecondFactorPage() {
  const session = useSession()
  const navigate = useNavigate()
  const { data, refetch } = useCall(secondFactorApi.state, {}, { staleTime: 0 })
  const [step, setStep] = useState<Step>()
  const isForced = session?.profile.mustEnrol === true
  const back = () => setStep(undefined)

  const begin = async ({ password, code }: Proven) => {
    const key = await send(
      secondFactorApi.begin,
      { password: passwordDigest(password), ...(data?.since && { code }) },
      { quiet: true },
    )
    setStep({ kind: 'scan', ...key })
  }
  const enable = async ({ code }: Proven) => {
    const { recoveryCodes } = await send(secondFactorApi.enable, { code }, { quiet: true })
    setStep({ kind: 'codes', codes: recoveryCodes })
    await refetch()
  }
  const renew = async ({ code }: Proven) => {
    const { recoveryCodes } = await send(secondFactorApi.renewCodes, { code }, { quiet: true })
    setStep({ kind: 'codes', codes: recoveryCodes })
    await refetch()
  }
  const disable = async ({ password, code }: Proven) => {
    await send(secondFactorApi.disable, { password: passwordDigest(password), code }, { quiet: true })
    notify('success', '动态口令已关闭')
    await refetch()
    back()
  }
  const finish = async () => {
    back()
    if (!isForced) return
    await reopenSession()
    await navigate('/home')
  }

  return (
    <div className="page form-page">
      <PageHead title="动态口令" facts="登录时除密码外，再输入手机上每 30 秒更换的 6 位数字" />
      <div className="card form-card narrow factor">
        {isForced && step?.kind !== 'codes' && (
          <Alert
            className="draft-offer"
            type="warning"
            showIcon
            title="您的角色须启用动态口令，完成设置后即可使用全部功能。"
          />
        )}
        {!data && <Skeleton active />}
        {data && !step && <State state={data} onStep={setStep} />}
        {data && step?.kind === 'password' && (
          <ProofForm
            key="password"
            title={data.since ? '更换手机' : '第 1 步：确认是本人'}
            hint={data.since ? '请输入密码，以及旧手机上的口令或一个恢复码。' : '请输入当前的登录密码。'}
            asks={data.since ? ['password', 'code'] : ['password']}
            submitText="下一步"
            onSubmit={begin}
            onBack={back}
          />
        )}
        {step?.kind === 'scan' && (
          <ProofForm
            key="scan"
            title="第 2 步：用手机添加账号"
            hint="在手机上打开身份验证器（如各应用商店中的 Microsoft Authenticator、Google Authenticator，或微信小程序“腾讯身份验证器”），扫描二维码；无法扫描时手动输入密钥。"
            asks={['code']}
            submitText="启用"
            onSubmit={enable}
            onBack={back}
          >
            <div className="factor-key">
              <img src={step.picture} alt="添加账号的二维码" width={220} height={220} />
              <div>
                <p>密钥（类型：基于时间）</p>
                <code aria-label="密钥">{step.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
                <p>二维码和密钥只显示这一次，请勿截图或转发。</p>
              </div>
            </div>
          </ProofForm>
        )}
        {step?.kind === 'renew' && (
          <ProofForm
            key="renew"
            title="更换恢复码"
            hint="将生成 10 个新的恢复码，原有的全部作废。"
            asks={['code']}
            submitText="更换"
            onSubmit={renew}
            onBack={back}
          />
        )}
        {step?.kind === 'disable' && (
          <ProofForm
            key="disable"
            title="关闭动态口令"
            hint="关闭后登录只需密码；恢复码作废，已记住的设备取消。"
            asks={['password', 'code']}
            submitText="关闭动态口令"
            onSubmit={disable}
            onBack={back}
          />
        )}
        {step?.kind === 'codes' && (
          <RecoveryCodes codes={step.codes} username={session?.profile.username ?? ''} onDone={() => void finish()} />
        )}
      </div>
    </div>
  )
}

/** Whether it is on, and what can be done about it. */
function State({ state, onStep }: { state: SecondFactor; onStep: (step: Step) => void }) {
  const { since, isDemanded, codesLeft, devices } = state
  return (
    <>
      <Facts
        items={[
          { label: '状态', value: since ? `已启用（${since.slice(0, 16)} 起）` : '未启用' },
          { label: '学校要求', value: isDemanded ? '您的角色必须使用' : '可自行选择' },
          ...(since
            ? [
                { label: '恢复码', value: `还剩 ${codesLeft} 个` },
                { label: '已记住的设备', value: `${devices.length} 台，可在“账号与设备”中取消` },
              ]
            : []),
        ]}
      />
      <div className="form-foot">
        {since ? (
          <>
            <Button onClick={() => onStep({ kind: 'renew' })}>更换恢复码</Button>
            <Button onClick={() => onStep({ kind: 'password' })}>更换手机</Button>
            {!isDemanded && (
              <Button danger onClick={() => onStep({ kind: 'disable' })}>
                关闭
              </Button>
            )}
          </>
        ) : (
          <LockButton type="primary" onClick={() => onStep({ kind: 'password' })}>
            启用动态口令
          </LockButton>
        )}
      </div>
    </>
  )
}
