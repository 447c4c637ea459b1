import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { ownContactApi } from '../../../contract/student/contact.calls.ts'
import { useSession } from '../../app/session.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { refreshAll, useCall } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Answered, Card, Facts } from '../parts/pieces.tsx'

type Contact = Output<typeof ownContactApi.read>

/** How the student is reached, and, where the school lets them, the form in which they change it. */
export function ContactPage() {
  const isGraduate = useSession()?.profile.isGraduate
  const contact = useCall(ownContactApi.read, {}, { staleTime: 0 })
  return (
    <Page title="联系方式">
      <Answered of={contact}>
        {(kept) =>
          kept.can.includes('edit') ? (
            <Form key={kept.version} kept={kept} />
          ) : (
            <Card>
              <Facts
                of={[
                  ['手机号', kept.suiPhone ?? '未登记'],
                  ['邮箱', kept.suiEmail ?? '未登记'],
                  ['宿舍', kept.suiDorm ?? '未登记'],
                ]}
              />
              <p className="s-note">
                {isGraduate ? '已毕业，有误请联系学校更正。' : '学校未开放自行修改，有误请联系辅导员更正。'}
              </p>
            </Card>
          )
        }
      </Answered>
    </Page>
  )
}

function Form({ kept }: { kept: Contact }) {
  const navigate = useNavigate()
  const [values, setValues] = useState({
    suiPhone: kept.suiPhone ?? '',
    suiEmail: kept.suiEmail ?? '',
    suiDorm: kept.suiDorm ?? '',
    password: '',
  })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const field = (name: keyof typeof values) => ({
    value: values[name],
    fault: faults[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  async function submit() {
    setSending(true)
    setFaults({})
    const { suiPhone, suiEmail, suiDorm, password } = values
    try {
      await send(
        ownContactApi.save,
        {
          password: passwordDigest(password),
          version: kept.version,
          ...(suiPhone && { suiPhone }),
          ...(suiEmail && { suiEmail }),
          ...(suiDorm && { suiDorm }),
        },
        { quiet: true },
      )
      notify('success', '联系方式已更新')
      await refreshAll()
      await navigate(-1)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a wrong password is no fault of a field for the service
      const found = error.faults.map(({ field: name, msg }) => [name, msg])
      setFaults(found.length > 0 ? Object.fromEntries(found) : { password: error.message })
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      className="s-card"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="手机号"
        autoComplete="tel"
        {...field('suiPhone')}
        help="带星号的是已登记的号码，不改请保持原样"
      />
      <TextField label="邮箱" autoComplete="email" {...field('suiEmail')} />
      <TextField label="宿舍" {...field('suiDorm')} />
      <TextField
        label="密码"
        required
        type="password"
        autoComplete="current-password"
        {...field('password')}
        help="手机号和邮箱可用于找回密码，修改须确认是本人"
      />
      <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
        {isSending ? '正在保存…' : '保存'}
      </button>
    </form>
  )
}
