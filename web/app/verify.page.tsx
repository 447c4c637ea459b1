import { useEffect, useState, type FormEvent } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Output } from '../../contract/core/call.ts'
import { verifyApi, type Verdict } from '../../contract/outcomes/transcripts/verify.calls.ts'
import { send } from '../core/service/api.ts'
import { ApiError } from '../core/service/wire.ts'
import './verify.css'
import { Line, SubmitButton } from './public-fields.tsx'
import { PublicFrame } from './public-frame.tsx'

const words: Record<Verdict['status'], { mark: string; title: string; text: string }> = {
  valid: { mark: '✓', title: '有效', text: '该成绩单由学校签发，签名完好，目前有效。请核对下列内容与纸面一致。' },
  superseded: {
    mark: '↻',
    title: '已被取代',
    text: '该成绩单确由学校签发，但之后已签发内容不同的新成绩单。请向持有人索取最新的一份。',
  },
  revoked: { mark: '✕', title: '已撤销', text: '学校已撤销该成绩单，不再有效。' },
  broken: { mark: '!', title: '记录异常', text: '签发记录与签名不符，不能作为凭据，请联系学校共青团组织。' },
}

/** What anybody who holds a transcript may check, without an account: the serial, or the credential file. */
export function VerifyPage() {
  const { serial = '' } = useParams()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState(serial)
  const [verdict, setVerdict] = useState<Verdict>()
  const [checked, setChecked] = useState<Output<typeof verifyApi.credential>>()
  const [fault, setFault] = useState('')
  const [isAsking, setAsking] = useState(false)

  const ask = async <R,>(work: () => Promise<R>, then: (answer: R) => void) => {
    setAsking(true)
    setFault('')
    setVerdict(undefined)
    setChecked(undefined)
    try {
      then(await work())
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : '未能核验，请稍后重试')
    } finally {
      setAsking(false)
    }
  }
  useEffect(() => {
    document.title = '成绩单核验 · 第二课堂管理平台'
    setWanted(serial)
    if (serial) void ask(() => send(verifyApi.verify, { serial }, { quiet: true, blocks: false }), setVerdict)
  }, [serial])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = wanted.trim()
    if (!next) setFault('请输入成绩单编号')
    else if (next === serial)
      void ask(() => send(verifyApi.verify, { serial }, { quiet: true, blocks: false }), setVerdict)
    else void navigate(`/verify/${encodeURIComponent(next)}`)
  }
  const readFile = async (file: File | undefined) => {
    if (!file) return
    if (file.size > 900_000) return setFault('文件过大，不是成绩凭证')
    const credential = await file.text()
    await ask(
      () => send(verifyApi.credential, { credential }, { quiet: true, blocks: false }),
      (answer) => {
        setChecked(answer)
        setVerdict(answer.verdict)
      },
    )
  }
  return (
    <PublicFrame title="成绩单核验" hint="核对编号，或核对成绩凭证文件">
      <div aria-live="polite">
        {isAsking && <p className="form-note">正在核验…</p>}
        {fault && (
          <p className="form-fault" role="alert">
            {fault}
          </p>
        )}
        {checked && (
          <p className={checked.isSame && checked.isSigned ? 'form-note' : 'form-fault'}>
            {checked.isSame && checked.isSigned
              ? '凭证文件与签发内容逐字一致，数字签名有效。'
              : checked.isSigned
                ? '签名有效，但文件内容与签发记录不一致。'
                : '凭证文件已被改动，数字签名无效。'}
          </p>
        )}
        {verdict && <VerdictNotice verdict={verdict} />}
      </div>
      <form noValidate onSubmit={submit} className="verify-form">
        <Line label="成绩单编号" name="serial" value={wanted} onValue={setWanted} maxLength={100} error={undefined} />
        <SubmitButton isWaiting={isAsking}>核验</SubmitButton>
      </form>
      <label className="verify-file">
        <span>核对凭证文件（PDF 附件中的 JSON 文件）</span>
        <input
          type="file"
          accept=".json,application/json,application/ld+json"
          onChange={({ target }) => {
            const file = target.files?.[0]
            void readFile(file)
            // the same file, changed meanwhile, may be chosen again
            target.value = ''
          }}
        />
      </label>
    </PublicFrame>
  )
}

function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { mark, title, text } = words[verdict.status]
  // what a broken record says is not told
  const facts: [string, string][] =
    verdict.status === 'broken'
      ? []
      : [
          ['学校', verdict.schName],
          ['姓名', verdict.suiName],
          ['学号', verdict.suiNumber],
          ['内容', verdict.extract || '全部记录'],
          ['总学时', verdict.totalHours],
          ['总学分', verdict.totalCredit],
          ['签发时间', verdict.issueTime],
          ...(verdict.endTime
            ? [[verdict.status === 'revoked' ? '撤销时间' : '取代时间', verdict.endTime] as [string, string]]
            : []),
          ...(verdict.status === 'revoked' ? [['撤销原因', verdict.revokeReason] as [string, string]] : []),
        ]
  return (
    <section className={`certificate verdict-${verdict.status}`} aria-label="核验结果">
      <h2>
        <span aria-hidden="true">{mark}</span>
        {title}
      </h2>
      <p>{text}</p>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="verdict-wide">
          <dt>编号</dt>
          <dd>{verdict.serial}</dd>
        </div>
      </dl>
      <details>
        <summary>供系统核对的摘要与公钥</summary>
        <dl>
          <div className="verdict-wide">
            <dt>内容摘要（SHA-256）</dt>
            <dd>
              <code>{verdict.digest}</code>
            </dd>
          </div>
          <div className="verdict-wide">
            <dt>签名公钥（Ed25519）</dt>
            <dd>
              <code>{verdict.publicKey}</code>
            </dd>
          </div>
        </dl>
      </details>
    </section>
  )
}
