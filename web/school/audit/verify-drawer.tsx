import { Drawer, Progress } from 'antd'
import { useState } from 'react'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { auditFaults, type AuditVerdict } from '../../../contract/school/audit/audit.schema.ts'
import type { Output } from '../../../contract/core/call.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import './audit.css'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

type Verification = Output<typeof auditApi.verification>

const isUnderWay = ({ state }: Verification) => state === 'waiting' || state === 'running'
/** How often the progress of a verification is asked for, in milliseconds. */
const interval = 1000

/** Whether the audit trail is as it was sealed, and the files into which old rows went. */
export function VerifyDrawer({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  const verification = useCall(
    auditApi.verification,
    {},
    { refetchInterval: (answer) => (answer && isUnderWay(answer as Verification) ? interval : false) },
  )
  const starting = useSend(auditApi.verify)
  const { data } = verification
  return (
    <Drawer
      open={isOpen}
      size={isPhone ? '100%' : 640}
      title="校验与归档"
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
    >
      <section className="facts">
        <h2>完整性校验</h2>
        <p className="verify-note">
          日志每分钟封存一次，封存首尾相接。校验把每一行与封存时的指纹逐一比对，任何改动、删除或补写都会指出。校验在后台进行，可以离开本页。
        </p>
        {!data && <ReadSkeleton paragraph={{ rows: 3 }} />}
        {data && <VerificationStatus verification={data} />}
        {data && (
          <ActionButton
            to={auditApi.verify}
            primary
            disabled={isUnderWay(data) || starting.isSending}
            onClick={() => starting.send({}).catch(() => undefined)}
          >
            {data.state === 'none' ? '开始校验' : '重新校验'}
          </ActionButton>
        )}
      </section>
      <Archives />
    </Drawer>
  )
}

function VerificationStatus({ verification: { state, progress, endTime, verdict } }: { verification: Verification }) {
  if (state === 'none') return <p className="verify-note">近三十天没有校验过。</p>
  if (state === 'waiting' || state === 'running')
    return (
      <Progress
        percent={progress}
        aria-label="校验进度"
        format={(percent) => (state === 'waiting' ? '等待开始' : `${percent}%`)}
      />
    )
  if (state === 'failed' || !verdict)
    return (
      <p role="alert" className="verify-bad">
        校验没有完成，请重新校验；仍不成功时请查看服务日志。
      </p>
    )
  return (
    <div role="status">
      <p className={verdict.faultCount === 0 ? 'verify-good' : 'verify-bad'}>
        {verdict.faultCount === 0
          ? verdict.seals === 0
            ? '还没有封存过的日志'
            : '全部日志与封存一致'
          : `发现 ${figure(verdict.faultCount)} 处不一致，第一处：${auditFaults[verdict.faults[0]!.kind]}`}
      </p>
      {verdict.faults.length > 0 && <Faults verdict={verdict} />}
      <Facts
        items={[
          { label: '核对日志', value: `${count(verdict.rows)} 条` },
          { label: '核对封存', value: `${count(verdict.seals)} 个` },
          { label: '等待封存', value: `${count(verdict.waitingRows)} 条` },
          { label: '已归档', value: `${count(verdict.archivedRows)} 条` },
          { label: '完成时间', value: endTime, isWide: true },
          {
            label: '最近封存',
            value: verdict.lastSeal && `第 ${count(verdict.lastSeal.sealNo)} 号，${verdict.lastSeal.sealTime}`,
            isWide: true,
          },
          {
            label: '封存指纹',
            value: verdict.lastSeal && <code title="可抄录存档，日后据此核对">{verdict.lastSeal.hash}</code>,
            isWide: true,
          },
        ]}
      />
    </div>
  )
}

function Faults({ verdict: { faults, faultCount } }: { verdict: AuditVerdict }) {
  return (
    <ol className="faults">
      {faults.map(({ kind, sealNo, logId, row }) => (
        <li key={`${kind} ${sealNo} ${logId}`}>
          <b>{auditFaults[kind]}</b>
          {row && <span>{row}</span>}
          <small>
            {[sealNo !== null && `封存第 ${sealNo} 号`, logId && `日志编号 ${logId}`].filter(Boolean).join('，')}
          </small>
        </li>
      ))}
      {faultCount > faults.length && (
        <li>
          <span>另有 {figure(faultCount - faults.length)} 处，修复前面的问题后请重新校验。</span>
        </li>
      )}
    </ol>
  )
}

function Archives() {
  const { data } = useCall(auditApi.archives, { pageSize: 50 })
  return (
    <section className="facts">
      <h2>归档文件</h2>
      {data && data.total === 0 && (
        <EmptyState text="暂无归档" hint="超过保存期限的日志按月写入数据目录的压缩文件，然后移出数据库；封存保留。" />
      )}
      {data && data.total > 0 && (
        <ul className="archives">
          {data.records.map((archive) => (
            <li key={archive.arcNo}>
              <b>{archive.fileName}</b>
              <span className="figures">
                {archive.firstTime.slice(0, 10)} 至 {archive.lastTime.slice(0, 10)}，{count(archive.rowCount)} 条，封存{' '}
                {archive.fromSeal}–{archive.throughSeal}
              </span>
              <small>
                SHA-256 <code>{archive.sha256}</code>
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const count = (number: number) => figure(number)
