import{k as d,x as n}from"./index-ae0dvviD.js";function c(e){const[s,t]=d("");return n(()=>{if(!e)return;const r=URL.createObjectURL(e);return t(r),()=>URL.revokeObjectURL(r)},[e]),s}export{c as u};
