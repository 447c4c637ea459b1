import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'

/** `allowClear` of every drop-down: the kit would call its button “Clear”. */
export const clearing = { clearIcon: <CloseCircleFilled />, label: '清除' }
