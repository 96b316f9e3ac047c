import{l as d,y as n}from"./index-1AM-07QX.js";function c(e){const[s,t]=d("");return n(()=>{if(!e)return;const r=URL.createObjectURL(e);return t(r),()=>URL.revokeObjectURL(r)},[e]),s}export{c as u};
