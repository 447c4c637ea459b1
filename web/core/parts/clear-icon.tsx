import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'

/** `allowClear` of every input and drop-down: the kit would call its button “Clear”, or nothing at all. */
export const clearing = { clearIcon: <CloseCircleFilled aria-label="清除" />, label: '清除' }
