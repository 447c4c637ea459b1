import ApartmentOutlined from '@ant-design/icons/ApartmentOutlined'
import BankOutlined from '@ant-design/icons/BankOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import FileAddOutlined from '@ant-design/icons/FileAddOutlined'
import HeartOutlined from '@ant-design/icons/HeartOutlined'
import PartitionOutlined from '@ant-design/icons/PartitionOutlined'
import ReadOutlined from '@ant-design/icons/ReadOutlined'
import SmileOutlined from '@ant-design/icons/SmileOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import TrophyOutlined from '@ant-design/icons/TrophyOutlined'
import { Radio } from 'antd'
import type { ComponentType } from 'react'
import { Field } from '../../core/form/form-field.tsx'

/** The icons a flow may carry: stored name, words, picture. */
const icons: readonly (readonly [string, string, ComponentType])[] = [
  ['flow', '流程', PartitionOutlined],
  ['school', '校级', BankOutlined],
  ['college', '院系', ApartmentOutlined],
  ['class', '班级', TeamOutlined],
  ['club', '社团', SmileOutlined],
  ['supplement', '补录', FileAddOutlined],
  ['contest', '竞赛', TrophyOutlined],
  ['volunteer', '志愿', HeartOutlined],
  ['innovation', '创新', BulbOutlined],
  ['lecture', '讲座', ReadOutlined],
]

/** The picture of a flow; the plain one where the name is unknown. */
export function FlowIcon({ name }: { name: string }) {
  const Icon = icons.find(([known]) => known === name)?.[2] ?? PartitionOutlined
  return (
    <span className="flow-icon" aria-hidden="true">
      <Icon />
    </span>
  )
}

/** Chooses a picture. */
export function FlowIconField() {
  return (
    <Field name="wfIcon">
      <Radio.Group
        className="flow-icons"
        optionType="button"
        options={icons.map(([value, label, Icon]) => ({
          value,
          label: (
            <span role="img" title={label} aria-label={label}>
              <Icon />
            </span>
          ),
        }))}
      />
    </Field>
  )
}
