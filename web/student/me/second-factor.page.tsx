import { useState } from 'react'
import { useNavigate } from 'react-router'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { reopenSession, useSession } from '../../app/session.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { useCall } from '../../core/service/use-call.ts'
import { heldPage } from '../held.ts'
import { Answered, Card, Facts } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { ProofForm, type Proof } from './proof-form.tsx'

/** What is being done on the page; undefined where the state of things is shown. */
type Step =
  | { kind: 'password' | 'renew' | 'disable' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'codes'; codes: string[] }

/** One's own second factor: setting it up, new recovery codes, another phone, switching it off. */
export function SecondFactorPage() {
  const session = useSession()
  const navigate = useNavigate()
  const factor = useCall(secondFactorApi.state, {}, { staleTime: 0 })
  const [step, setStep] = useState<Step>()
  const isForced = session?.profile.mustEnrol === true
  const isOn = factor.data?.since != null
  const back = () => setStep(undefined)
  const begin = async ({ password, code }: Proof) => {
    const key = await send(
      secondFactorApi.begin,
      { password: passwordDigest(password), ...(isOn && { code }) },
      { quiet: true },
    )
    setStep({ kind: 'scan', ...key })
  }
  const codesBy = (call: typeof secondFactorApi.enable | typeof secondFactorApi.renewCodes) => async (proof: Proof) => {
    const { recoveryCodes } = await send(call, { code: proof.code }, { quiet: true })
    setStep({ kind: 'codes', codes: recoveryCodes })
    await factor.refetch()
  }
  const disable = async ({ password, code }: Proof) => {
    await send(secondFactorApi.disable, { password: passwordDigest(password), code }, { quiet: true })
    notify('success', '动态口令已关闭')
    await factor.refetch()
    back()
  }
  const finish = async () => {
    back()
    if (!isForced) return
    const { profile } = await reopenSession()
    await navigate(heldPage(profile) ?? '/activities', { replace: true })
  }
  return (
    <Page title="动态口令" isRoot={isForced}>
      {isForced && step?.kind !== 'codes' && (
        <p className="s-banner">您的角色须启用动态口令，完成设置后即可使用全部功能。</p>
      )}
      {step?.kind === 'password' && (
        <ProofForm
          title={isOn ? '更换手机' : '第 1 步：确认是本人'}
          hint={isOn ? '请输入密码，以及旧手机上的口令或一个恢复码。' : '请输入当前的登录密码。'}
          asks={isOn ? ['password', 'code'] : ['password']}
          submitText="下一步"
          onSubmit={begin}
          onBack={back}
        />
      )}
      {step?.kind === 'scan' && (
        <ProofForm
          key="scan"
          title="第 2 步：添加到身份验证器"
          hint="在本机的身份验证器（如 Microsoft Authenticator，或微信小程序“腾讯身份验证器”）中选择“手动输入密钥”，粘贴下面的密钥；也可用另一台手机扫码。然后输入显示的 6 位数字。"
          asks={['code']}
          submitText="启用"
          onSubmit={codesBy(secondFactorApi.enable)}
          onBack={back}
        >
          <p className="s-address" aria-label="密钥">
            {step.secret}
          </p>
          <button
            type="button"
            className="s-button s-wide"
            onClick={() =>
              void navigator.clipboard.writeText(step.secret).then(
                () => notify('success', '密钥已复制'),
                () => notify('warning', '没有复制成功，请长按密钥复制'),
              )
            }
          >
            复制密钥
          </button>
          <img className="s-qr" src={step.picture} alt="添加账号的二维码" width={200} height={200} />
          <p className="s-note">密钥和二维码只显示这一次，请勿截图或转发。</p>
        </ProofForm>
      )}
      {step?.kind === 'renew' && (
        <ProofForm
          title="更换恢复码"
          hint="将生成 10 个新的恢复码，原有的全部作废。"
          asks={['code']}
          submitText="更换"
          onSubmit={codesBy(secondFactorApi.renewCodes)}
          onBack={back}
        />
      )}
      {step?.kind === 'disable' && (
        <ProofForm
          title="关闭动态口令"
          hint="关闭后登录只需密码；恢复码作废，已记住的设备取消。"
          asks={['password', 'code']}
          submitText="关闭动态口令"
          onSubmit={disable}
          onBack={back}
        />
      )}
      {step?.kind === 'codes' && <Codes codes={step.codes} onDone={() => void finish()} />}
      {!step && (
        <Answered of={factor}>
          {({ since, isDemanded, codesLeft }) => (
            <Card title={since ? '已启用' : '未启用'}>
              <p>登录时除密码外，再输入手机上每 30 秒更换的 6 位数字，密码泄露也不会被他人登录。</p>
              <Facts
                of={[
                  ['启用时间', since?.slice(0, 16)],
                  ['学校要求', isDemanded ? '您的角色必须使用' : '可自行选择'],
                  ['恢复码', since && `还剩 ${codesLeft} 个`],
                ]}
              />
              <div className="s-acts">
                <button type="button" className="s-button s-primary" onClick={() => setStep({ kind: 'password' })}>
                  {since ? '更换手机' : '启用动态口令'}
                </button>
                {since && (
                  <button type="button" className="s-button" onClick={() => setStep({ kind: 'renew' })}>
                    更换恢复码
                  </button>
                )}
                {since && !isDemanded && (
                  <button type="button" className="s-button" onClick={() => setStep({ kind: 'disable' })}>
                    关闭
                  </button>
                )}
              </div>
            </Card>
          )}
        </Answered>
      )}
    </Page>
  )
}

/** The recovery codes, which are shown this once: to be copied before one goes on. */
function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false)
  return (
    <Card title="请保存恢复码">
      <p>动态口令已启用。手机丢失时，可用下面的恢复码代替口令登录，每个只能用一次；离开本页后不再显示。</p>
      <ol className="s-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <button
        type="button"
        className="s-button s-wide"
        onClick={() =>
          void navigator.clipboard.writeText(codes.join('\n')).then(
            () => notify('success', '恢复码已复制'),
            () => notify('warning', '没有复制成功，请长按选中后复制'),
          )
        }
      >
        复制
      </button>
      <label className="s-check">
        <input type="checkbox" checked={isKept} onChange={({ target }) => setKept(target.checked)} />
        我已妥善保存
      </label>
      <button type="button" className="s-button s-primary s-wide" disabled={!isKept} onClick={onDone}>
        完成
      </button>
    </Card>
  )
}
