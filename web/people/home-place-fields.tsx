import { Form, Select } from 'antd'
import { regionApi } from '../../contract/organisation/regions.calls.ts'
import { Field } from '../core/form-core.tsx'
import { useCall } from '../core/use-call.ts'

const day = 24 * 3600_000
type Regions = { code: string; name: string }[] | undefined

/** Province, city and area, each offering what lies in the one before. */
export function HomePlaceFields() {
  const form = Form.useFormInstance()
  const provinceId = Form.useWatch<string | undefined>('provinceId', form)
  const cityId = Form.useWatch<string | undefined>('cityId', form)
  const provinces = useCall(regionApi.provinces, {}, { fresh: day }).data
  const cities = useCall(regionApi.cities, { id: provinceId ?? '' }, { enabled: !!provinceId, fresh: day }).data
  const areas = useCall(regionApi.areas, { id: cityId ?? '' }, { enabled: !!cityId, fresh: day }).data
  return (
    <>
      <Field name="provinceId" span={4}><RegionSelect regions={provinces} clears={['cityId', 'areaId']} /></Field>
      <Field name="cityId" span={4}><RegionSelect regions={provinceId ? cities : []} clears={['areaId']} disabled={!provinceId} /></Field>
      <Field name="areaId" span={4}><RegionSelect regions={cityId ? areas : []} clears={[]} disabled={!cityId} /></Field>
    </>
  )
}

interface RegionSelectProps {
  regions: Regions
  clears: readonly string[]
  disabled?: boolean
  id?: string
  value?: string
  onChange?: (code: string | undefined) => void
}

function RegionSelect({ regions, clears, value, onChange, ...rest }: RegionSelectProps) {
  const form = Form.useFormInstance()
  const choose = (code: string | undefined) => {
    form.setFieldsValue(Object.fromEntries(clears.map((name) => [name, undefined])))
    onChange?.(code)
  }
  return (
    <Select
      {...rest}
      value={value || undefined}
      options={(regions ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      loading={regions === undefined}
      placeholder="请选择"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      onChange={choose}
    />
  )
}
