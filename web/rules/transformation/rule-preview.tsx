import { Alert, Button, Form } from 'antd'
import { useState } from 'react'
import type { Input as In, Output } from '../../../contract/core/call.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { ruleDraft } from '../../../contract/rules/transformation/transformation.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { faultsOf, knownValues } from '../../core/form/form-field.tsx'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

type Rule = In<typeof transformationApi.preview>['rule']
type Answer = Output<typeof transformationApi.preview>

/**
 * What the rule as it stands in the form makes of real students: calculated when asked for, with the rule of that
 * moment.
 */
export function RulePreview() {
  const form = Form.useFormInstance<Record<string, unknown>>()
  const now = Form.useWatch([], form) as Record<string, unknown> | undefined
  const [tried, setTried] = useState<Rule>()
  const [fault, setFault] = useState<string>()
  const [search, setSearch] = useState('')
  const rule = knownValues(ruleDraft, now ?? {})
  const isOld = tried !== undefined && JSON.stringify(rule) !== JSON.stringify(tried)
  const { data, isFetching } = useCall(
    transformationApi.preview,
    { rule: tried!, pageSize: 5, ...(search && { search }) },
    { enabled: tried !== undefined, keepPrevious: true },
  )
  const start = () => {
    const first = faultsOf(ruleDraft, rule)[0]
    setFault(first?.msg)
    if (!first) setTried(rule as Rule)
  }
  return (
    <section className="rule-preview" aria-label="试算">
      <header>
        <h3>试算</h3>
        <span>用当前填写的规则计算在读与延期学生，不会保存任何内容</span>
        <Button size="small" loading={isFetching} onClick={start}>
          {tried ? '重新试算' : '试算'}
        </Button>
      </header>
      {fault && <Alert type="warning" showIcon title={fault} />}
      {isOld && !fault && <Alert type="info" showIcon title="规则已修改，以下是修改前的结果" />}
      {tried &&
        (data ? (
          <Result data={data} toType={String(tried.toType)} onSearch={setSearch} />
        ) : (
          <ReadSkeleton title={false} paragraph={{ rows: 4 }} />
        ))}
    </section>
  )
}

function Result({ data, toType, onSearch }: { data: Answer; toType: string; onSearch: (text: string) => void }) {
  const unit = labelOf('convert_to', toType)
  const most = Math.max(1, ...data.spread.map(({ people }) => people))
  return (
    <div className="rule-result">
      <div>
        <p className="rule-sums">
          共 <b>{figure(data.total)}</b> 名学生，<b>{figure(data.converted)}</b> 人有{unit}，平均 <b>{data.average}</b>
        </p>
        <ul className="rule-spread" aria-label={`${unit}分布`}>
          {data.spread.slice(0, 8).map(({ to, people }) => (
            <li key={to}>
              <span className="figures">{to}</span>
              <i style={{ width: `${Math.max(2, (people / most) * 100)}%` }} />
              <span>{figure(people)} 人</span>
            </li>
          ))}
        </ul>
        {data.spread.length > 8 && <p className="rule-more">另有 {figure(data.spread.length - 8)} 种结果</p>}
      </div>
      <div>
        <SearchBox
          size="small"
          placeholder="按姓名或学号查看一名学生"
          aria-label="按姓名或学号查看一名学生"
          maxLength={50}
          onSearch={(text) => onSearch(text.trim())}
        />
        {data.records.length === 0 ? (
          <EmptyState text="没有符合条件的学生" />
        ) : (
          <ul className="rule-students">
            {data.records.map(({ suId, suiName, suiNumber, explain }) => (
              <li key={suId}>
                <b>{suiName}</b> <small>{suiNumber}</small>
                <p>{explain}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
