import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { Alert, Button, Select } from 'antd'
import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import {
  lastTerm,
  thresholdApi,
  thresholdTargets,
  type ThresholdTarget,
} from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { download } from '../../core/service/api.ts'
import { ActionButton, LockButton } from '../../core/parts/buttons.tsx'
import { useDiscardQuestion } from '../../core/screen/discard-question.tsx'
import { useDraftOffer } from '../../core/form/draft-offer.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { clearDraft, keepDraft } from '../../core/service/draft.ts'
import { notify } from '../../core/service/notice.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { validFields } from '../../core/service/schema.ts'
import { useDirty } from '../../core/service/tab.ts'
import { refreshAll, useCall, useSend } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { PartHeader, termText } from './threshold-parts.tsx'
import { TrialResult } from './trial-result.tsx'

type Bases = Output<typeof thresholdApi.all>
interface Row {
  target: string
  checkpointTerm: string
  required: string
  warn1: string
  warn2: string
  warn3: string
}

const toRow = ({ tbTarget, lsId, checkpointTerm, required, warn1, warn2, warn3 }: Bases['rows'][number]): Row => ({
  target: lsId ?? tbTarget,
  checkpointTerm: String(checkpointTerm),
  required,
  warn1,
  warn2,
  warn3,
})
const toWire = ({ target, checkpointTerm, ...amounts }: Row) => ({
  ...(Object.hasOwn(thresholdTargets, target)
    ? { tbTarget: target as ThresholdTarget }
    : { tbTarget: 'module' as const, lsId: target }),
  checkpointTerm: Number(checkpointTerm),
  ...amounts,
})
/** Under which name the unsaved base values of a year are kept on this machine. */
const draftOf = (grade: string) => `threshold-bases:${grade}`
const terms = Array.from({ length: lastTerm }, (_, at) => ({ value: String(at + 1), label: termText(at + 1) }))
const unitOf = (target: string) => (target === 'credibility' ? '分' : '学时')

/** What is expected of a year by when, tried before it is saved; the year stands in the address. */
export function BaseValues() {
  const [query, change] = useAddress()
  const { grade } = validFields(thresholdApi.all.input, Object.fromEntries(query))
  const { data, ...reading } = useCall(thresholdApi.all, grade ? { grade } : {}, { keepPrevious: true })
  const [kept, setKept] = useState<Bases>()
  const [isDirty, setDirty] = useState(false)
  const [round, setRound] = useState(0)
  useDirty(isDirty, 'kept')
  const [ask, question] = useDiscardQuestion(isDirty)
  const begin = () => {
    setDirty(false)
    setKept(data ?? kept)
    setRound(round + 1)
  }
  const discard = () => {
    if (isDirty && kept) clearDraft(draftOf(kept.grade))
  }
  // what is saved or imported meanwhile must not overwrite what is being typed
  if (data && data !== kept && !isDirty) begin()
  const isOld =
    kept !== undefined &&
    data?.grade === kept.grade &&
    (data.version !== kept.version || data.isDefault !== kept.isDefault)
  // of the year that was chosen nothing came: the former one must not stand under it
  const hasFailed = reading.error !== null && !data && !isDirty
  return (
    <>
      <PartHeader
        before={(go) => ask(() => (discard(), go()))}
        facts={
          !hasFailed &&
          kept &&
          (kept.isDefault
            ? `${kept.grade} 级没有单独设置，按“学校信息”中的规则预警`
            : `${kept.grade} 级，${kept.updateTime?.slice(0, 16)} 保存`)
        }
        tools={
          <>
            <ActionButton
              to={thresholdApi.exportTemplate}
              icon={<DownloadOutlined />}
              onClick={() => void download(thresholdApi.exportTemplate, {}).catch(() => undefined)}
            >
              下载模板
            </ActionButton>
            <ImportButton
              to={thresholdApi.save}
              api={importApi}
              kind="threshold"
              title="导入预警基准值"
              hint="按年级、指标与学期识别：已有的更新，没有的新增。可先下载模板，其中是现有的基准值。"
            />
          </>
        }
      />
      {hasFailed ? (
        <div className="card">
          <ReadFailure reading={reading} noun="年级" />
        </div>
      ) : kept ? (
        <Editor
          key={round}
          bases={kept}
          isOld={isOld}
          onDirty={setDirty}
          onBegin={begin}
          onSaved={() => (discard(), setDirty(false))}
          onGrade={(next) => ask(() => (discard(), begin(), change(withParams({ grade: next }), { replace: true })))}
        />
      ) : (
        <div className="card">
          <ReadSkeleton />
        </div>
      )}
      {question}
    </>
  )
}

interface EditorProps {
  bases: Bases
  /** Others have been saved since. */
  isOld: boolean
  onDirty: (isDirty: boolean) => void
  /** Begins with what is saved now; what was typed is offered as a draft. */
  onBegin: () => void
  onSaved: () => void
  onGrade: (grade: string) => void
}

function Editor({ bases, isOld, onDirty, onBegin, onSaved, onGrade }: EditorProps) {
  const { grade, grades, termNo, isDefault, version, modules } = bases
  const [rows, setRows] = useState<Row[]>(() => bases.rows.map(toRow))
  const [faults, setFaults] = useState<string[]>([])
  const [copyTo, setCopyTo] = useState<string[]>([])
  const [trial, setTrial] = useState<Output<typeof thresholdApi.preview>>()
  const [isAsking, setAsking] = useState(false)
  const may = usePermission()(thresholdApi.save)
  const [save, del, preview] = [useSend(thresholdApi.save), useSend(thresholdApi.del), useSend(thresholdApi.preview)]
  const [asRead] = useState(() => JSON.stringify(rows))
  const isDirty = copyTo.length > 0 || JSON.stringify(rows) !== asRead
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const keep = (nextRows: Row[], nextCopyTo: string[]) => {
    setRows(nextRows)
    setCopyTo(nextCopyTo)
    keepDraft(draftOf(grade), () =>
      nextCopyTo.length > 0 || JSON.stringify(nextRows) !== asRead
        ? { version, rows: nextRows, copyTo: nextCopyTo }
        : undefined,
    )
  }
  const change = (next: Row[]) => {
    keep(next, copyTo)
    setTrial(undefined)
  }
  const offer = useDraftOffer(draftOf(grade), {
    version,
    onTake: (draft) => {
      keep(draft['rows'] as Row[], draft['copyTo'] as string[])
      setTrial(undefined)
    },
  })
  const targets = [
    ...Object.entries(thresholdTargets)
      .filter(([key]) => key !== 'module')
      .map(([value, label]) => ({ value, label })),
    ...modules.map(({ lsId, name }) => ({ value: lsId, label: name })),
  ]
  const showingFaults = async (work: () => Promise<unknown>) => {
    setFaults([])
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) return
      if (error.reason === 'stale-version') void refreshAll()
      setFaults(
        error.faults.map(
          ({ field, msg }) =>
            `${/^rows\.(\d+)/.test(field) ? `第 ${Number(/\d+/.exec(field)![0]) + 1} 行：` : ''}${msg}`,
        ),
      )
    }
  }
  const amount = (key: 'required' | 'warn1' | 'warn2' | 'warn3', title: string): EditColumn<Row> => ({
    title,
    width: 132,
    cell: (row, set, at) => (
      <NumberInput
        decimals={2}
        value={row[key]}
        unit={unitOf(row.target)}
        aria-label={`第 ${at + 1} 行${title}`}
        disabled={!may}
        onChange={(value) => set({ [key]: value })}
      />
    ),
  })
  const columns: EditColumn<Row>[] = [
    {
      title: '指标',
      cell: (row, set, at) => (
        <Select
          value={row.target}
          options={targets}
          disabled={!may}
          aria-label={`第 ${at + 1} 行指标`}
          onChange={(target) => set({ target })}
        />
      ),
    },
    {
      title: '检查点',
      width: 136,
      cell: (row, set, at) => (
        <Select
          value={row.checkpointTerm}
          options={terms}
          disabled={!may}
          aria-label={`第 ${at + 1} 行检查点`}
          onChange={(checkpointTerm) => set({ checkpointTerm })}
        />
      ),
    },
    amount('required', '要求'),
    amount('warn1', '一般警告线'),
    amount('warn2', '警告线'),
    amount('warn3', '严重警告线'),
  ]
  return (
    <div className="card base-values">
      <div className="record-tools">
        <span className="base-label">
          年级{' '}
          <Select
            value={grade}
            options={grades.map((value) => ({ value, label: `${value} 级` }))}
            onChange={onGrade}
            aria-label="年级"
            style={{ width: 112 }}
          />
        </span>
        <span>{termNo > 0 ? `现在是入学后第 ${termNo} 学期；检查点所在学期结束后开始预警。` : '尚未入学。'}</span>
        {isDefault ? (
          <StatusChip tone="draft">按学校规则</StatusChip>
        ) : (
          <StatusChip tone="finished">单独设置</StatusChip>
        )}
      </div>
      {may && offer}
      {isOld && !save.isSending && !del.isSending && (
        <Alert
          type="warning"
          showIcon
          title={`${grade} 级的基准值已被他人修改或由导入更新`}
          description="您所填的不能再保存。载入最新基准值后可恢复所填的内容，逐项核对后再保存。"
          action={
            <Button size="small" onClick={onBegin}>
              载入最新基准值
            </Button>
          }
        />
      )}
      {faults.length > 0 && (
        <ul className="base-faults" role="alert">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <RowEditor<Row>
        columns={columns}
        value={rows}
        onChange={change}
        blank={() => ({ target: 'total', checkpointTerm: '2', required: '', warn1: '', warn2: '', warn3: '0' })}
        addText="增加一行"
        max={200}
        isFixed={!may}
        empty="没有要求"
      />
      {may && (
        <div className="base-foot">
          <span className="base-label">
            同时用于{' '}
            <Select
              mode="multiple"
              value={copyTo}
              options={grades.filter((one) => one !== grade).map((value) => ({ value, label: `${value} 级` }))}
              onChange={(next: string[]) => keep(rows, next)}
              placeholder="其他年级（可不选）"
              aria-label="同时用于其他年级"
              style={{ minWidth: 200 }}
            />
          </span>
          <div>
            {!isDefault && (
              <LockButton authority-type={thresholdApi.del.permit} onClick={() => setAsking(true)}>
                恢复默认
              </LockButton>
            )}
            <LockButton
              loading={preview.isSending}
              authority-type={thresholdApi.preview.permit}
              onClick={() =>
                void showingFaults(async () => setTrial(await preview.send({ grade, rows: rows.map(toWire) })))
              }
            >
              试算
            </LockButton>
            <LockButton
              type="primary"
              loading={save.isSending}
              authority-type={thresholdApi.save.permit}
              onClick={() =>
                void showingFaults(async () => {
                  await save.send({ grade, version, rows: rows.map(toWire), copyTo })
                  onSaved()
                  notify('success', '已保存，正在重新计算预警')
                })
              }
            >
              保存
            </LockButton>
          </div>
        </div>
      )}
      {trial && <TrialResult trial={trial} />}
      <Dialog
        open={isAsking}
        title={`恢复 ${grade} 级的默认基准值？`}
        okText="恢复"
        cancelText="取消"
        onCancel={() => setAsking(false)}
        to={thresholdApi.del}
        onOk={() =>
          void showingFaults(async () => {
            await del.send({ grade, version })
            onSaved()
            setAsking(false)
          })
        }
      >
        <p>
          删除 {grade} 级单独设置的 {bases.rows.length} 行，改按学校规则预警。
        </p>
      </Dialog>
    </div>
  )
}
