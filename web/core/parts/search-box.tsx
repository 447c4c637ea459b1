import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { Input, type GetProps } from 'antd'
import { clearing } from './clear-icon.tsx'

/** A word to look for in what the page shows already; its two buttons are called in Chinese. */
export function SearchBox(props: GetProps<typeof Input.Search>) {
  return <Input.Search allowClear={clearing} searchIcon={<SearchOutlined aria-label="搜索" />} {...props} />
}
