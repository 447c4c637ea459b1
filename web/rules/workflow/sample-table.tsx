import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import type { Input, Output } from '../../../contract/core/call.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { notify } from '../../core/service/notice.tsx'
import { RowActions } from '../../core/action/row-actions.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { SampleText } from './verdict-panel.tsx'

type Sample = Output<typeof trialApi.samples>[number]

const action = actionOn<Sample>()
const accept = action({
  label: '以当前结果为预期',
  call: trialApi.acceptSamples,
  unit: '个样例',
  fits: ({ isRight }) => !isRight,
  confirm: '此后以现在的流程与步骤为预期结果。',
  input: (rows) => ({ wsIds: rows.map(({ wsId }) => wsId) }),
})
const remove = action.remove({
  call: trialApi.removeSamples,
  unit: '个样例',
  confirm: '删除后修改流程时不再核对该样例。',
  input: (rows) => ({ wsIds: rows.map(({ wsId }) => wsId) }),
})

/** The cases that are watched, each run against the flows as they are. */
export function SampleTable({ onShow }: { onShow: (one: Input<typeof trialApi.sandbox>) => void }) {
  const { data, isFetching, refetch } = useCall(trialApi.samples, {})
  const [opened, setOpened] = useState<string>()
  const show = action.open({
    label: '查看',
    call: trialApi.sandbox,
    onOpen: ([row]) =>
      onShow({
        wfType: row!.wfType as '1',
        suId: row!.suId,
        lsId: row!.lsId,
        liLevel: row!.liLevel,
        credit: row!.credit,
      }),
  })
  const wrong = data?.filter(({ isRight }) => !isRight) ?? []
  const runAll = async () => {
    const { data: fresh = [] } = await refetch()
    const bad = fresh.filter(({ isRight }) => !isRight).length
    notify(
      bad > 0 ? 'warning' : 'success',
      bad > 0 ? `${fresh.length} 个样例中有 ${bad} 个与预期不符` : `${fresh.length} 个样例全部与预期一致`,
    )
  }
  return (
    <section className="card samples" aria-label="样例">
      <header>
        <h2>
          样例
          <small>
            {data && data.length > 0
              ? wrong.length > 0
                ? `${data.length} 个，其中 ${wrong.length} 个与预期不符`
                : `${data.length} 个，全部与预期一致`
              : '修改流程时自动核对'}
          </small>
        </h2>
        {data && data.length > 0 && (
          <Button icon={<ReloadOutlined />} loading={isFetching} onClick={() => void runAll()}>
            全部运行
          </Button>
        )}
      </header>
      {data?.length === 0 && <EmptyState text="暂无样例" hint="试运行后可将该申请存为样例，防止修改流程时误伤。" />}
      {data && data.length > 0 && (
        <ul>
          {data.map((row) => (
            <li key={row.wsId}>
              <div className="sample-row">
                <span className="sample-name">
                  <b>{row.wsName}</b>
                  <small>{row.wfName}</small>
                </span>
                <span className="sample-case">
                  {[
                    row.suiName,
                    row.lsName,
                    row.levelName,
                    row.credit === '0' ? '不授予学分' : `${row.credit} 学分`,
                  ].join(' · ')}
                </span>
                {row.isRight ? (
                  <StatusChip tone="finished">与预期一致</StatusChip>
                ) : (
                  <StatusChip tone="refused">与预期不符</StatusChip>
                )}
                <RowActions row={row} actions={[show, accept, remove]} nameOf={({ wsName }) => wsName} open={1} />
              </div>
              {!row.isRight && (
                <details
                  open={opened === row.wsId}
                  onToggle={(event) => event.currentTarget.open && setOpened(row.wsId)}
                >
                  <summary>查看差异</summary>
                  <SampleText name="" was={row.was} now={row.now} />
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
