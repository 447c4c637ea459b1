import { Button, Form, Input, Select, Space } from 'antd'
import { useState } from 'react'
import { signType as signTypes } from '../../../contract/core/codes/programme.ts'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { notify } from '../../core/service/notice.tsx'
import { currentPosition } from '../../core/service/current-position.ts'
import { readCoordinates, toWgs84, type Coordinates, type CoordinateSource } from './map-coordinates.ts'

/** Where people sign in, and within which distance. */
export function SignPlace({ signType }: { signType: readonly string[] | undefined }) {
  return (
    <>
      <TextField name="signLng" label="签到地点经度" span={4} placeholder="如 117.227239" />
      <TextField name="signLat" label="签到地点纬度" span={4} placeholder="如 31.820587" />
      <NumberField
        name="signRadius"
        label="签到距离"
        unit="米"
        span={4}
        placeholder="按学校规则"
        {...(signType?.includes(signTypes.location) ? {} : { help: '本课程未启用定位签到，填写后暂不检查' })}
      />
      <PlaceTaker />
    </>
  )
}

const sources: { value: CoordinateSource; label: string }[] = [
  { value: 'gcj02', label: '高德、腾讯地图' },
  { value: 'bd09', label: '百度地图' },
  { value: 'wgs84', label: 'GPS' },
]

/** Fills in the place: as a map gives it, turned once into what phones tell, or where this device is. */
function PlaceTaker() {
  const [source, setSource] = useState<CoordinateSource>('gcj02')
  const [text, setText] = useState('')
  const [isReading, setReading] = useState(false)
  const setField = useSetField()
  const fill = ({ lng, lat }: Coordinates) => {
    setField('signLng', lng.toFixed(6))
    setField('signLat', lat.toFixed(6))
  }
  const take = () => {
    const found = readCoordinates(text)
    if (!found) return notify('warning', '请粘贴“经度,纬度”，如 117.227239,31.820587')
    fill(toWgs84(source, found))
    setText('')
  }
  const here = async () => {
    setReading(true)
    const found = await currentPosition()
    setReading(false)
    if (found) fill(found)
    else notify('warning', '没有取得本机位置，请在浏览器设置中允许读取位置，或从地图复制坐标')
  }
  return (
    <Form.Item
      className="field span-12"
      label="从地图填入"
      extra="签到地点按 GPS 坐标保存，与学生手机一致。高德、腾讯、百度的坐标有几百米偏移，请选择来源后填入，不要直接写进上面两格。"
    >
      <Space wrap>
        <Space.Compact>
          <Select
            aria-label="坐标来源"
            value={source}
            onChange={setSource}
            options={sources}
            popupMatchSelectWidth={false}
          />
          <Input
            aria-label="从地图复制的坐标"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              take()
            }}
            placeholder="粘贴“经度,纬度”"
          />
          <Button disabled={text.trim() === ''} onClick={take}>
            填入
          </Button>
        </Space.Compact>
        <Button loading={isReading} onClick={() => void here()}>
          用本机位置
        </Button>
      </Space>
    </Form.Item>
  )
}
