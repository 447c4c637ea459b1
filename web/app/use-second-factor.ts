import { useState } from 'react'
import { secondFactorApi } from '../../contract/school/session/second-factor.calls.ts'
import type { Profile } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { passwordDigest } from '../core/service/sha256.ts'
import { useCall } from '../core/service/use-call.ts'
import { reopenSession, useSession } from './session.ts'

/** What somebody proved with; what was not asked for is empty. */
export interface Proven {
  password: string
  code: string
}

/** What is being done; undefined where the state of things is shown. */
export type FactorStep =
  | { kind: 'password' | 'renew' | 'disable' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'codes'; codes: string[] }

/** What a form asks for, and what it does with it; rejects with what the person is to be told. */
export interface ProofAsked {
  title: string
  hint: string
  asks: readonly (keyof Proven)[]
  submitText: string
  onSubmit: (proven: Proven) => Promise<void>
}

/**
 * One's own second factor: setting it up, new recovery codes, another phone, switching it off. The console and the
 * students' pages show it in their own looks.
 * @param leadOn leads on whoever had to set it up before anything else
 */
export function useSecondFactor(leadOn: (profile: Profile) => unknown) {
  const isForced = useSession()?.profile.mustEnrol === true
  const factor = useCall(secondFactorApi.state, {}, { staleTime: 0 })
  const [step, setStep] = useState<FactorStep>()
  const isOn = factor.data?.since != null
  const back = () => setStep(undefined)

  const codesBy =
    (call: typeof secondFactorApi.enable | typeof secondFactorApi.renewCodes) =>
    async ({ code }: Proven) => {
      const { recoveryCodes } = await send(call, { code }, { quiet: true })
      setStep({ kind: 'codes', codes: recoveryCodes })
      await factor.refetch()
    }

  const forms: Record<'password' | 'scan' | 'renew' | 'disable', ProofAsked> = {
    password: {
      title: isOn ? '更换手机' : '第 1 步：确认是本人',
      hint: isOn ? '请输入密码，以及旧手机上的口令或一个恢复码。' : '请输入当前的登录密码。',
      asks: isOn ? ['password', 'code'] : ['password'],
      submitText: '下一步',
      async onSubmit({ password, code }) {
        const input = { password: passwordDigest(password), ...(isOn && { code }) }
        setStep({ kind: 'scan', ...(await send(secondFactorApi.begin, input, { quiet: true })) })
      },
    },
    scan: {
      title: '第 2 步：添加到身份验证器',
      hint: '',
      asks: ['code'],
      submitText: '启用',
      onSubmit: codesBy(secondFactorApi.enable),
    },
    renew: {
      title: '更换恢复码',
      hint: '将生成 10 个新的恢复码，原有的全部作废。',
      asks: ['code'],
      submitText: '更换',
      onSubmit: codesBy(secondFactorApi.renewCodes),
    },
    disable: {
      title: '关闭动态口令',
      hint: '关闭后登录只需密码；恢复码作废，已记住的设备取消。',
      asks: ['password', 'code'],
      submitText: '关闭动态口令',
      async onSubmit({ password, code }) {
        await send(secondFactorApi.disable, { password: passwordDigest(password), code }, { quiet: true })
        notify('success', '动态口令已关闭')
        await factor.refetch()
        back()
      },
    },
  }

  /** The recovery codes have been put away. */
  const finish = async () => {
    back()
    if (isForced) await leadOn((await reopenSession()).profile)
  }
  return { factor, step, setStep, back, forms, finish, isForced }
}
