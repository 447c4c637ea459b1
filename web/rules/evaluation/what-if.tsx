import { Alert, Button, Segmented, Table } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { pageButton } from '../../core/parts/pagination.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useDraft, type Draft } from './draft.ts'
import { figure } from '../../core/service/figure.ts'

type Answer = Output<typeof scoringApi.whatIf>
type Row = Answer['records'][number]
type Only = 'all' | 'gain' | 'lose'

/** Whose totals would have been other under the rule as it stands in the form: calculated when asked for. */
export function WhatIf({ esId }: { esId: string }) {
  const { draft, fault } = useDraft()
  const [asked, setAsked] = useState<Draft>()
  const [only, setOnly] = useState<Only>('all')
  const [current, setPage] = useState(1)
  const isOld = asked !== undefined && JSON.stringify(asked) !== JSON.stringify(draft)
  const { data, isFetching } = useCall(
    scoringApi.whatIf,
    { esId, rule: asked!, only, current, pageSize: 10 },
    { enabled: asked !== undefined, keepPrevious: true },
  )
  const ask = () => (setPage(1), setAsked(draft))
  return (
    <FormSection
      title="改动的影响"
      hint="假如已完成的课程都按当前填写的规则认定，哪些学生的总数与达标情况会不同。只是测算：保存后已有课程仍按原版本认定。"
    >
      <div className="what-if">
        <Button onClick={ask} loading={isFetching} disabled={fault !== undefined}>
          {asked ? '重新评估' : '评估影响'}
        </Button>
        {fault && <Alert type="info" showIcon title={fault} />}
        {isOld && <Alert type="info" showIcon title="规则已修改，以下是修改前的评估" />}
        {asked && data && (
          <Effects
            data={data}
            only={only}
            isFetching={isFetching}
            onOnly={(next) => (setPage(1), setOnly(next))}
            onPage={setPage}
          />
        )}
      </div>
    </FormSection>
  )
}

const signed = (value: string) => (value.startsWith('-') || value === '0' ? value : `+${value}`)

function Effects({
  data,
  only,
  isFetching,
  onOnly,
  onPage,
}: {
  data: Answer
  only: Only
  isFetching: boolean
  onOnly: (only: Only) => void
  onPage: (page: number) => void
}) {
  const met = (pass: boolean) => (
    <StatusChip tone={pass ? 'finished' : 'waiting'}>{pass ? '达标' : '未达标'}</StatusChip>
  )
  return (
    <>
      <p>
        {data.times === 0
          ? '还没有已完成课程的记录按本规则认定，'
          : `${figure(data.lessons)} 门已完成课程、${figure(data.people)} 名学生的 ${figure(data.times)} 条记录按本规则认定，`}
        {data.changed === 0 ? (
          <b>没有学生的学时、学分或积分会变化。</b>
        ) : (
          <>
            <b>{figure(data.changed)}</b> 人会变化：{figure(data.up)} 人学时增加，{figure(data.down)} 人减少，合计{' '}
            {signed(data.change.hours)} 学时、{signed(data.change.credit)} 学分、{signed(data.change.points)} 积分；
            {quoted(data.moduleName)}（最低 {data.minHours} 学时）新达标 <b>{figure(data.gain)}</b> 人，不再达标{' '}
            <b>{figure(data.lose)}</b> 人。
          </>
        )}
        {data.running > 0 && <>另有 {figure(data.running)} 门未完成的课程保留现有版本。</>}
      </p>
      {data.abilities.length > 0 && (
        <p className="what-if-abilities">
          能力分合计：{data.abilities.map(({ sqlName, before, after }) => `${sqlName} ${before} → ${after}`).join('，')}
        </p>
      )}
      {data.changed > 0 && (
        <>
          <Segmented<Only>
            value={only}
            onChange={onOnly}
            options={[
              { value: 'all', label: `全部 ${figure(data.changed)}` },
              { value: 'gain', label: `新达标 ${figure(data.gain)}` },
              { value: 'lose', label: `不再达标 ${figure(data.lose)}` },
            ]}
          />
          <Table<Row>
            size="small"
            rowKey="suId"
            loading={isFetching}
            dataSource={data.records}
            scroll={{ x: 720 }}
            pagination={{
              current: data.current,
              pageSize: data.pageSize,
              total: data.total,
              onChange: onPage,
              hideOnSinglePage: true,
              showSizeChanger: false,
              itemRender: pageButton,
            }}
            locale={{ emptyText: '暂无数据' }}
            columns={[
              {
                title: '学生',
                dataIndex: 'suiName',
                render: (name: string, { suiNumber }) => (
                  <>
                    {name} <small>{suiNumber}</small>
                  </>
                ),
              },
              { title: '学院', dataIndex: 'collegeName', width: 160, ellipsis: true },
              { title: '记录', dataIndex: 'times', width: 64, align: 'right' },
              {
                title: '学时变化',
                key: 'change',
                width: 88,
                align: 'right',
                render: (_, { change }) => signed(change.hours),
              },
              {
                title: '模块学时',
                key: 'module',
                width: 130,
                align: 'right',
                render: (_, { moduleBefore, moduleAfter }) => `${moduleBefore} → ${moduleAfter}`,
              },
              {
                title: '达标',
                key: 'pass',
                width: 176,
                render: (_, { passBefore, passAfter }) =>
                  passBefore === passAfter ? (
                    met(passAfter)
                  ) : (
                    <>
                      {met(passBefore)} → {met(passAfter)}
                    </>
                  ),
              },
            ]}
          />
        </>
      )}
    </>
  )
}
