import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import ColumnHeightOutlined from '@ant-design/icons/ColumnHeightOutlined'
import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import { Checkbox, Dropdown, Popover, Tooltip } from 'antd'
import { columnKey, type Column, type ColumnChoice } from './columns.tsx'

export type Density = 'tight' | 'normal' | 'loose'
const densities: Record<Density, string> = { normal: '标准', tight: '紧凑', loose: '宽松' }

interface ListToolsProps<R> {
  columns: readonly Column<R>[]
  choice: ColumnChoice | undefined
  onChoice: (choice: ColumnChoice | undefined) => void
  density: Density
  onDensity: (density: Density) => void
  isFetching: boolean
  onRefresh: () => void
}

/** What stands at the right over a table: refresh, row height, columns. */
export function ListTools<R>({
  columns,
  choice,
  onChoice,
  density,
  onDensity,
  isFetching,
  onRefresh,
}: ListToolsProps<R>) {
  return (
    <div className="list-tools">
      <Tooltip title="刷新">
        <button type="button" className="icon-button" aria-label="刷新" onClick={onRefresh}>
          <ReloadOutlined spin={isFetching} />
        </button>
      </Tooltip>
      <Dropdown
        trigger={['click']}
        menu={{
          selectable: true,
          selectedKeys: [density],
          items: Object.entries(densities).map(([key, label]) => ({ key, label })),
          onClick: ({ key }) => onDensity(key as Density),
        }}
      >
        <button
          type="button"
          className="icon-button tool-density"
          aria-label={`行高，当前${densities[density]}`}
          title="行高"
        >
          <ColumnHeightOutlined />
        </button>
      </Dropdown>
      <Popover
        trigger="click"
        placement="bottomRight"
        content={<ColumnSettings columns={columns} choice={choice} onChoice={onChoice} />}
      >
        <button type="button" className="icon-button" aria-label="列设置" title="列设置">
          <SettingOutlined />
        </button>
      </Popover>
    </div>
  )
}

/** Which columns stand in the table and in which order; kept per person and screen. */
function ColumnSettings<R>({ columns, choice, onChoice }: Pick<ListToolsProps<R>, 'columns' | 'choice' | 'onChoice'>) {
  const keys = columns.map(columnKey)
  const order = choice
    ? [...choice.order.filter((key) => keys.includes(key)), ...keys.filter((key) => !choice.order.includes(key))]
    : keys
  const hidden = choice?.hidden ?? columns.filter((column) => column.hiddenAtFirst).map(columnKey)
  const move = (key: string, by: number) => {
    const at = order.indexOf(key)
    const next = order.filter((one) => one !== key)
    next.splice(at + by, 0, key)
    onChoice({ order: next, hidden })
  }
  return (
    <div className="column-settings">
      <ul>
        {order.map((key, at) => {
          const title = columns.find((column) => columnKey(column) === key)!.title
          return (
            <li key={key}>
              <Checkbox
                checked={at === 0 || !hidden.includes(key)}
                disabled={at === 0}
                onChange={(event) =>
                  onChoice({
                    order,
                    hidden: event.target.checked ? hidden.filter((one) => one !== key) : [...hidden, key],
                  })
                }
              >
                {title}
              </Checkbox>
              <span>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={`${title}上移`}
                  disabled={at <= 1}
                  onClick={() => move(key, -1)}
                >
                  <ArrowUpOutlined />
                </button>
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={`${title}下移`}
                  disabled={at === 0 || at === order.length - 1}
                  onClick={() => move(key, 1)}
                >
                  <ArrowDownOutlined />
                </button>
              </span>
            </li>
          )
        })}
      </ul>
      <button type="button" className="row-act" onClick={() => onChoice(undefined)}>
        恢复默认
      </button>
    </div>
  )
}
