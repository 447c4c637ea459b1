import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { SelectField, TextField, type Option } from '../parts/fields.tsx'
import { stretches, type FilterName } from './activity-filters.ts'

/** Milliseconds for which the choices count as fresh: they change with what is published. */
const choicesStay = 5 * 60_000

const anyOf = (options: readonly Option[], chosen: string): Option[] =>
  // what an address names and nothing has any more stays visible, so that it can be taken away
  chosen && !options.some(({ value }) => value === chosen)
    ? [...options, { value: chosen, label: '已没有活动的选项' }]
    : [...options]

interface Props {
  query: URLSearchParams
  onChange: (values: Record<string, string>) => void
  onClear: () => void
  onDone: () => void
}

/** What the list of activities is narrowed by; each change is shown at once. */
export function Filters({ query, onChange, onClear, onDone }: Props) {
  const { data } = useCall(ownActivityApi.choices, {}, { staleTime: choicesStay })
  const field = (name: FilterName) => ({
    value: query.get(name) ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const select = (name: FilterName, options: readonly Option[]) => ({
    ...field(name),
    placeholder: '不限',
    options: anyOf(options, query.get(name) ?? ''),
  })
  const named = (list: readonly { id: string; name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <section className="s-card s-filters" id="filters" aria-label="筛选">
      <SelectField
        label="时间"
        {...field('when')}
        placeholder="不限"
        options={stretches.filter(([value]) => value).map(([value, label]) => ({ value, label }))}
      />
      {query.get('when') === 'range' && (
        <>
          <TextField label="从" type="date" {...field('from')} />
          <TextField label="到" type="date" {...field('to')} />
        </>
      )}
      <SelectField
        label="类型"
        {...select(
          'kind',
          (data?.kinds ?? []).map((value) => ({ value, label: labelOf('lesson_kind', value) })),
        )}
      />
      <SelectField label="模块" {...select('module', named(data?.modules))} />
      <SelectField label="级别" {...select('level', named(data?.levels))} />
      <TextField label="地点" {...field('place')} maxLength={100} />
      <SelectField
        label="学分"
        {...select(
          'credit',
          ['0.1', '0.5', '1', '2'].map((value) => ({ value, label: `${value} 学分及以上` })),
        )}
      />
      <div className="s-acts">
        <button type="button" className="s-button" onClick={onClear}>
          清除筛选
        </button>
        <button type="button" className="s-button s-primary" onClick={onDone}>
          完成
        </button>
      </div>
    </section>
  )
}
