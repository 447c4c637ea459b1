import { theme, type ThemeConfig } from 'antd'

const shared: ThemeConfig['token'] = {
  borderRadius: 8,
  borderRadiusLG: 12,
  borderRadiusSM: 6,
  controlHeight: 34,
  controlHeightSM: 28,
  controlHeightLG: 40,
  fontSize: 14,
  fontFamily: 'var(--font)',
  motionDurationFast: '0.1s',
  motionDurationMid: '0.16s',
  motionDurationSlow: '0.22s',
  wireframe: false,
}

/** What a field holds is to be read where it cannot be changed: a whole form is shown so to who may only look. */
const readable = (isDark: boolean) => ({ colorTextDisabled: isDark ? '#b3bdca' : '#4a5666' })

/** The kit's theme in both lights; its values are those of `styles/tokens.css`. */
export function antdTheme(isDark: boolean, isStill: boolean): ThemeConfig {
  return {
    cssVar: { key: 'console' },
    hashed: false,
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: { ...shared, motion: !isStill, ...(isDark ? dark : light) },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 400,
        ...(isDark && {
          colorPrimary: '#2f66d0',
          colorPrimaryHover: '#386dd6',
          colorPrimaryActive: '#2858b8',
          colorError: '#f07f7f',
          colorErrorHover: '#f49a9a',
          colorErrorActive: '#e06a6a',
          dangerColor: '#1a0b0b',
        }),
      },
      Table: {
        headerBg: isDark ? '#1c2128' : '#f7f9fc',
        headerColor: isDark ? '#b3bdca' : '#4a5666',
        headerSplitColor: 'transparent',
        rowHoverBg: isDark ? '#1d232c' : '#f5f8fe',
        rowSelectedBg: isDark ? '#1c2a45' : '#edf3fe',
        rowSelectedHoverBg: isDark ? '#21314f' : '#e3ecfd',
        cellPaddingBlockSM: 8,
        cellPaddingInlineSM: 12,
        borderColor: isDark ? '#2a313b' : '#e6eaf0',
      },
      Menu: {
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        itemHeight: 38,
        itemSelectedBg: isDark ? '#1c2a45' : '#edf3fe',
        itemSelectedColor: isDark ? '#7ba5f4' : '#2458c5',
        subMenuItemSelectedColor: isDark ? '#7ba5f4' : '#2458c5',
        activeBarBorderWidth: 0,
      },
      Form: {
        verticalLabelPadding: '0 0 4px',
        itemMarginBottom: 20,
        labelColor: isDark ? '#b3bdca' : '#4a5666',
        ...(isDark && { colorError: '#f58a8a' }),
      },
      Input: readable(isDark),
      InputNumber: readable(isDark),
      Select: readable(isDark),
      DatePicker: readable(isDark),
      Checkbox: { ...readable(isDark), ...(isDark && { colorPrimary: '#2f66d0', colorPrimaryHover: '#386dd6' }) },
      Switch: isDark
        ? {
            colorPrimary: '#2f66d0',
            colorPrimaryHover: '#386dd6',
            colorTextQuaternary: '#56616f',
            colorTextTertiary: '#626e7d',
          }
        : { colorTextQuaternary: '#6b7786', colorTextTertiary: '#5f6b7c' },
      Radio: { ...readable(isDark), ...(isDark && { colorPrimary: '#2f66d0', colorPrimaryHover: '#386dd6' }) },
      Pagination: { itemActiveBg: 'transparent' },
      Tabs: {
        horizontalItemPadding: '10px 0',
        horizontalItemGutter: 24,
        titleFontSize: 14,
        ...(isDark && { itemSelectedColor: '#7ba5f4', itemHoverColor: '#9dbdf8', inkBarColor: '#7ba5f4' }),
      },
      Descriptions: { itemPaddingBottom: 12 },
      Modal: { titleFontSize: 16 },
    },
  }
}

const light: ThemeConfig['token'] = {
  colorPrimary: '#2458c5',
  colorLink: '#2458c5',
  colorSuccess: '#1f8a5b',
  colorWarning: '#b86e00',
  colorError: '#cf3a3a',
  colorErrorText: '#b32d2d',
  colorText: '#1b2430',
  colorTextSecondary: '#4a5666',
  colorTextTertiary: '#5f6b7c',
  colorTextDescription: '#5f6b7c',
  colorTextPlaceholder: '#687484',
  colorTextDisabled: '#8a94a2',
  colorBgLayout: '#f4f6f9',
  colorBgContainer: '#ffffff',
  colorBgElevated: '#ffffff',
  colorBorder: '#cbd3dd',
  colorBorderSecondary: '#e6eaf0',
  colorSplit: '#e6eaf0',
  controlItemBgActive: '#edf3fe',
  controlItemBgHover: '#f4f6f9',
}

const dark: ThemeConfig['token'] = {
  colorPrimary: '#5b8def',
  colorLink: '#7ba5f4',
  colorLinkHover: '#9dbdf8',
  colorSuccess: '#3fae7a',
  colorWarning: '#d9972f',
  colorError: '#e06060',
  colorErrorText: '#f58a8a',
  colorText: '#e6eaf0',
  colorTextSecondary: '#b3bdca',
  colorTextTertiary: '#94a0b0',
  colorTextDescription: '#94a0b0',
  colorTextPlaceholder: '#8894a4',
  colorTextDisabled: '#69727f',
  colorBgLayout: '#0f1216',
  colorBgContainer: '#171b21',
  colorBgElevated: '#1e232b',
  colorBorder: '#3a4350',
  colorBorderSecondary: '#2a313b',
  colorSplit: '#2a313b',
  controlItemBgActive: '#1c2a45',
  controlItemBgHover: '#262d37',
}
