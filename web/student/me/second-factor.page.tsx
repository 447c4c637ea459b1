import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSecondFactor } from '../../app/use-second-factor.ts'
import { notify } from '../../core/service/notice.tsx'
import { homeOf } from '../held.ts'
import { Answered, Card, Facts } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { ProofForm } from './proof-form.tsx'

/** One's own second factor: setting it up, new recovery codes, another phone, switching it off. */
export function SecondFactorPage() {
  const navigate = useNavigate()
  const { factor, step, setStep, back, forms, finish, isForced } = useSecondFactor((profile) =>
    navigate(homeOf(profile), { replace: true }),
  )
  return (
    <Page title="动态口令" isRoot={isForced}>
      {isForced && step?.kind !== 'codes' && (
        <p className="s-banner">您的角色须启用动态口令，完成设置后即可使用全部功能。</p>
      )}
      {step?.kind === 'scan' && (
        <ProofForm
          key="scan"
          {...forms.scan}
          hint="在本机的身份验证器（如 Microsoft Authenticator，或微信小程序“腾讯身份验证器”）中选择“手动输入密钥”，粘贴下面的密钥；也可用另一台手机扫码。然后输入显示的 6 位数字。"
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
      {step && step.kind !== 'scan' && step.kind !== 'codes' && (
        <ProofForm key={step.kind} {...forms[step.kind]} onBack={back} />
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
