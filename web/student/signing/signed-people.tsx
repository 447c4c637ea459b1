import { useState } from 'react'
import { signStatus } from '../../../contract/core/codes/programme.ts'
import { managedSigningApi, type ManagedPerson } from '../../../contract/programme/lessons/managed-signing.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { signChoices, type SignByHand } from '../../shared/lessons/signs-by-hand.ts'
import { AreaField, SelectField } from '../parts/fields.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Chip, Tabs, type Tone } from '../parts/pieces.tsx'
import { usePages } from '../parts/use-pages.ts'

const tones: Record<string, Tone> = {
  [signStatus.notSigned]: 'draft',
  [signStatus.signedIn]: 'finished',
  [signStatus.signedOut]: 'finished',
  [signStatus.madeUp]: 'finished',
  [signStatus.late]: 'waiting',
  [signStatus.leftEarly]: 'waiting',
  [signStatus.absent]: 'refused',
  [signStatus.exempt]: 'published',
}

const filters = [
  ['', '全部'],
  [signStatus.notSigned, '未签到'],
  [signStatus.signedIn, '已签到'],
] as const

/** The participants of an activity with their standing, and what was noticed of them; each can be corrected. */
export function SignedPeople({ liId, search }: { liId: string; search: string }) {
  const [status, setStatus] = useState<(typeof filters)[number][0]>('')
  const [open, setOpen] = useState<string>()
  const list = usePages(managedSigningApi.people, {
    liId,
    ...(search && { search }),
    ...(status && { laSignStatus: status }),
  } as never)
  return (
    <>
      <Tabs of={filters} value={status} onChange={setStatus} label="签到状态" />
      <PagesList of={list} empty={<p>{search || status ? '没有符合的学生' : '还没有已录取的学生'}</p>}>
        {(person) => (
          <li key={person.laId}>
            <button
              type="button"
              className="s-row"
              aria-expanded={open === person.laId}
              onClick={() => setOpen(open === person.laId ? undefined : person.laId)}
            >
              <span className="s-row-text">
                <strong>{person.suiName}</strong>
                <small>
                  {person.suiNumber}
                  {person.className && `，${person.className}`}
                </small>
                {person.signInTime && <small>{timesText(person)}</small>}
                {person.hints.map((hint) => (
                  <small key={hint} className="s-hint">
                    请核对：{hint}
                  </small>
                ))}
              </span>
              <Chip tone={tones[person.laSignStatus] ?? 'draft'}>{labelOf('sign_status', person.laSignStatus)}</Chip>
            </button>
            {open === person.laId && <Correcting person={person} onDone={() => setOpen(undefined)} />}
          </li>
        )}
      </PagesList>
    </>
  )
}

const timesText = ({ signInTime, signOutTime }: ManagedPerson): string =>
  `${signInTime!.slice(5, 16)} 签到${signOutTime ? `，${signOutTime.slice(11, 16)} 签退` : ''}`

function Correcting({ person, onDone }: { person: ManagedPerson; onDone: () => void }) {
  const [laSignStatus, setStatus] = useState('')
  const [reason, setReason] = useState('')
  const { send, isSending } = useSend(managedSigningApi.correct)
  return (
    <form
      className="s-going"
      aria-label={`更正${person.suiName}的签到`}
      onSubmit={(event) => {
        event.preventDefault()
        void send({ laId: person.laId, laSignStatus: laSignStatus as SignByHand, reason }).then(
          () => {
            notify('success', `已更正${person.suiName}的签到`)
            onDone()
          },
          () => undefined,
        )
      }}
    >
      <SelectField label="更正为" required value={laSignStatus} onChange={setStatus} options={signChoices()} />
      <AreaField
        label="原因"
        required
        value={reason}
        onChange={setReason}
        maxLength={200}
        help="补签须不少于 5 个字，原因会记入操作日志"
      />
      <div className="s-acts">
        <button type="button" className="s-button" onClick={onDone}>
          返回
        </button>
        <button type="submit" className="s-button s-primary" disabled={isSending}>
          保存
        </button>
      </div>
    </form>
  )
}
