import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { activationApi, type ActivationProof } from '../../../contract/school/session/activation.calls.ts'
import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { newPasswordFault } from '../../app/password-rule.ts'
import { SchoolField, schoolMeant, useSchools, useSuggestedSchool } from '../../app/school-field.tsx'
import { deviceKey, forget, keepTokens, openSession } from '../../app/session.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { localStore } from '../../core/service/storage.ts'
import { queryClient, useCall } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { NoticeText } from '../../shared/accounts/notice-text.tsx'
import { homeOf } from '../held.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Answered, Card, Steps, Tabs } from '../parts/pieces.tsx'
import { slipOf } from './slip.ts'

const stages = ['核对身份', '阅读隐私告知', '设置密码'] as const

/** What students activate by, as they choose it. */
const proofs: Record<ActivationProof, string> = { slip: '激活单', identity: '证件信息' }

/**
 * Where students whose accounts came from a list choose their first password: who they are, the privacy notice, the
 * password, and they are signed in. A scanned slip fills in school, number and code.
 */
export function ActivatePage() {
  const navigate = useNavigate()
  const [scanned] = useState(() => slipOf(window.location.hash))
  const [values, setValues] = useState({
    schoolId: scanned?.schoolId ?? localStore.get<string>('studentSchool') ?? '',
    suiNumber: scanned?.suiNumber ?? '',
    code: scanned?.code ?? '',
    suiName: '',
    idTail: '',
    newPassword: '',
    again: '',
  })
  const [stage, setStage] = useState(0)
  const [chosen, setChosen] = useState<ActivationProof>('slip')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const found = useSchools(values.schoolId)
  const schoolId = schoolMeant(values.schoolId, found)?.schoolId ?? values.schoolId.trim()
  const ways = useCall(activationApi.ways, { schoolId }, { enabled: schoolId !== '' })
  const notice = useCall(noticeApi.read, { schoolId }, { enabled: stage === 1, staleTime: 0 })
  const open = ways.data?.ways ?? []
  const way = open.includes(chosen) ? chosen : open[0]
  const field = (name: keyof typeof values) => ({
    value: values[name],
    fault: faults[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  useSuggestedSchool(values.schoolId, found, field('schoolId').onChange)

  const proof = (): Input<typeof activationApi.prove> => ({
    schoolId,
    suiNumber: values.suiNumber.trim(),
    ...(way === 'slip' ? { code: values.code } : { suiName: values.suiName, idTail: values.idTail }),
  })
  /** Does something at the service; what it refuses stands above the form, or on the fields it means. */
  async function attempt(work: () => Promise<void>) {
    setSending(true)
    setFaults({})
    try {
      await work()
    } catch (error) {
      const told = error instanceof ApiError ? error : undefined
      if (told?.reason === 'notice-changed') setStage(1)
      if (told?.reason === 'activation-refused') setStage(0)
      setFaults({
        form: error instanceof Error ? error.message : '激活失败，请重试',
        ...Object.fromEntries((told?.faults ?? []).map(({ field: name, msg }) => [name, msg])),
      })
    } finally {
      setSending(false)
    }
  }
  const check = () =>
    attempt(async () => {
      await send(activationApi.prove, proof(), { quiet: true })
      setStage(1)
    })
  const activate = () => {
    const fault = newPasswordFault(values.newPassword, ways.data!.passwordProfile)
    if (fault) return setFaults({ newPassword: fault })
    if (values.again !== values.newPassword) return setFaults({ again: '两次输入的密码不一致' })
    return attempt(async () => {
      const given = { ...proof(), newPassword: values.newPassword, noticeVersion: notice.data!.version }
      // whoever was signed in on this phone before is not whoever activates now
      forget()
      const tokens = await send(activationApi.activate, given, { quiet: true })
      keepTokens(deviceKey(schoolId, given.suiNumber), tokens)
      localStore.set('studentSchool', schoolId)
      // nothing that somebody else has read on this phone
      queryClient.clear()
      const { profile } = await openSession()
      notify('success', '账号已激活，以后用学号和密码登录')
      await navigate(homeOf(profile), { replace: true })
    })
  }

  return (
    <Page
      title="激活账号"
      foot={
        stage === 1 ? (
          <>
            <button type="button" className="s-button" onClick={() => void navigate('/login')}>
              不同意，退出
            </button>
            <button
              type="button"
              className="s-button s-primary"
              disabled={!notice.data}
              onClick={() => (setFaults({}), setStage(2))}
            >
              已阅读并同意
            </button>
          </>
        ) : undefined
      }
    >
      <Card>
        <Steps
          of={stages.map((name, at) => ({ name, state: at < stage ? 'passed' : at === stage ? 'now' : 'ahead' }))}
        />
      </Card>
      {faults['form'] && (
        <p className="s-fault s-banner" role="alert">
          {faults['form']}
        </p>
      )}
      {stage === 0 && (
        <form className="s-card" onSubmit={(event) => (event.preventDefault(), void check())}>
          <SchoolField
            typed={values.schoolId}
            onTyped={field('schoolId').onChange}
            found={found}
            look={{ field: 's-field', label: 's-required', note: 's-note', fault: 's-fault' }}
          />
          {ways.data && !way && (
            <p className="s-note" role="status">
              贵校由老师发放一次性密码：请向辅导员领取，再到登录页用学号和一次性密码登录。
            </p>
          )}
          {way && (
            <>
              {open.length > 1 && (
                <Tabs label="激活方式" value={way} onChange={setChosen} of={open.map((one) => [one, proofs[one]])} />
              )}
              <TextField label="学号" required autoComplete="username" maxLength={64} {...field('suiNumber')} />
              {way === 'slip' ? (
                <TextField
                  label="激活码"
                  required
                  autoComplete="one-time-code"
                  maxLength={30}
                  help="印在激活单上的 12 位字母和数字，大小写不限"
                  {...field('code')}
                />
              ) : (
                <>
                  <TextField label="姓名" required autoComplete="name" maxLength={50} {...field('suiName')} />
                  <TextField
                    label="证件号码后六位"
                    required
                    maxLength={6}
                    help="录取时登记的证件，末位是 X 的请填 X"
                    {...field('idTail')}
                  />
                </>
              )}
              <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
                {isSending ? '正在核对…' : '下一步'}
              </button>
            </>
          )}
        </form>
      )}
      {stage === 1 && (
        <Answered of={notice}>
          {({ schName, version, content, publishTime }) => (
            <Card title={schName} note={`第 ${version} 版${publishTime ? `，${publishTime.slice(0, 10)} 发布` : ''}`}>
              <NoticeText content={content} />
            </Card>
          )}
        </Answered>
      )}
      {stage === 2 && (
        <form className="s-card" onSubmit={(event) => (event.preventDefault(), void activate())}>
          <input type="text" hidden readOnly autoComplete="username" value={values.suiNumber} />
          <TextField label="新密码" required type="password" autoComplete="new-password" {...field('newPassword')} />
          <TextField label="再输一次新密码" required type="password" autoComplete="new-password" {...field('again')} />
          <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
            {isSending ? '正在激活…' : '激活并登录'}
          </button>
        </form>
      )}
    </Page>
  )
}
