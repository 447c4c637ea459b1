import { Alert, Button } from 'antd'
import { useNavigate } from 'react-router'
import type { SecondFactor } from '../../contract/school/session/second-factor.calls.ts'
import { Facts } from '../core/action/detail-page.tsx'
import { LockButton } from '../core/parts/buttons.tsx'
import { PageHead } from '../core/screen/page-head.tsx'
import { ReadSkeleton } from '../core/screen/read-skeleton.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useSession } from './session.ts'
import { useSecondFactor, type FactorStep } from './use-second-factor.ts'
import './second-factor.css'

/** One's own second factor: setting it up, new recovery codes, another phone, switching it off. */
export function SecondFactorPage() {
  const session = useSession()
  const navigate = useNavigate()
  const { factor, step, setStep, back, forms, finish, isForced } = useSecondFactor(() => navigate('/home'))
  const { data } = factor

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
        {!data && <ReadSkeleton />}
        {data && !step && <State state={data} onStep={setStep} />}
        {data && step?.kind === 'scan' && (
          <ProofForm
            key="scan"
            {...forms.scan}
            title="第 2 步：用手机添加账号"
            hint="在手机上打开身份验证器（如各应用商店中的 Microsoft Authenticator、Google Authenticator，或微信小程序“腾讯身份验证器”），扫描二维码；无法扫描时手动输入密钥。"
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
        {data && step && step.kind !== 'scan' && step.kind !== 'codes' && (
          <ProofForm key={step.kind} {...forms[step.kind]} onBack={back} />
        )}
        {step?.kind === 'codes' && (
          <RecoveryCodes codes={step.codes} username={session?.profile.username ?? ''} onDone={() => void finish()} />
        )}
      </div>
    </div>
  )
}

/** Whether it is on, and what can be done about it. */
function State({ state, onStep }: { state: SecondFactor; onStep: (step: FactorStep) => void }) {
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
